import LindenKernel
import NIOCore
import Testing

@testable import Connections
@testable import Server

/// The memory of requests that arrive at the same time.
@Suite struct RequestBudgetTests {
    private final class Body {
        var hasEntered = false
    }

    private let budget = RequestBudget(1000)
    private let bodies = (0..<6).map { _ in Body() }
    private let givenUp = Count()
    private let start = NIODeadline.uptimeNanoseconds(0)

    @Test func aFullBudgetRefusesABodyWhileTheOthersArrive() {
        for number in 0..<4 { #expect(hold(250, number, at: 0)) }
        #expect(!hold(250, 4, at: 1))
        #expect(givenUp.add(0) == 0)
    }

    @Test func aFullBudgetGivesUpTheBodyThatHasStoppedForLongest() {
        for number in 0..<4 { #expect(hold(200, number, at: Int64(number))) }
        #expect(hold(250, 0, at: 4), "it goes on")
        #expect(hold(250, 4, at: 4))
        #expect(givenUp.add(0) == 1)
        #expect(!hold(250, 1, at: 4), "it was given up")
        for number in [0, 4] { #expect(hold(250, number, at: 4)) }
    }

    @Test func aCompleteBodyIsNotGivenUp() {
        for number in 0..<4 { #expect(hold(250, number, at: 0, isComplete: true)) }
        #expect(!hold(250, 4, at: 10))
        #expect(givenUp.add(0) == 0)
    }

    @Test func anAddressBeyondItsShareGivesUpItsOwnBodies() {
        #expect(hold(250, 0, of: "192.0.2.7", at: 0))
        #expect(hold(250, 1, of: "192.0.2.8", at: 1))
        #expect(hold(10, 2, of: "192.0.2.8", at: 5))
        #expect(hold(250, 0, of: "192.0.2.7", at: 5), "of another address, though stopped for longer")
        #expect(!hold(250, 1, of: "192.0.2.8", at: 5))
    }

    @Test func aSiteThatHoldsMuchGivesUpRequestsForOneThatHoldsLittle() {
        for number in 0..<2 { #expect(hold(200, number, of: "192.0.2.\(number)", at: 0)) }
        for number in 2..<4 { #expect(hold(250, number, of: "198.51.100.\(number)", at: Int64(number) - 2)) }
        #expect(hold(100, 4, of: "203.0.113.1", at: 1))
        #expect(hold(50, 5, of: "203.0.114.1", at: 1), "less than an eighth of 500, all of which goes on")
        #expect(givenUp.add(0) == 1)
        #expect(!hold(250, 2, at: 1))
        #expect([0, 1, 4].allSatisfy { hold($0 == 4 ? 100 : 200, $0, at: 1) })
    }

    @Test func sitesThatHoldSimilarAmountsTakeNothingFromEachOther() {
        for number in 0..<4 { #expect(hold(250, number, at: 0)) }
        #expect(!hold(32, 4, at: 1))
        #expect(givenUp.add(0) == 0)
    }

    @Test func requestsOfUnknownNetworksLeaveRoomToOthersAndAreGivenUpOnceTheyHaveStopped() {
        for number in 0..<3 { #expect(hold(250, number, ofUnknown: true, at: 0)) }
        #expect(!hold(1, 3, ofUnknown: true, at: 1))
        #expect(hold(250, 4, at: 1))
        #expect(givenUp.add(0) == 0)
        #expect(hold(250, 5, at: 3))
        #expect(hold(250, 3, ofUnknown: true, at: 3))
        #expect(givenUp.add(0) == 2)
    }

    @Test func aRequestThatHoldsLessMakesRoom() {
        for number in 0..<4 { #expect(hold(250, number, at: 0)) }
        #expect(hold(100, 0, at: 0))
        #expect(hold(150, 4, at: 0))
        #expect(!hold(100, 5, at: 0))
    }

    @Test func answeredBodiesMakeRoom() {
        for number in 0..<4 { #expect(hold(250, number, at: 0, isComplete: true)) }
        budget.leave(ObjectIdentifier(bodies[0]))
        #expect(hold(250, 4, at: 0))
    }

    @Test func onlyACompleteBodyHoldsTheMemoryOfItsParsing() {
        let values = BodyBudgetMiddleware.values(in: ByteBuffer(string: #"[{"a":1,"b":2},3"# + "%2C"))
        #expect(values == 5)
        let inText = BodyBudgetMiddleware.values(in: ByteBuffer(string: #"{"a":"\u005b\u007b\u002c\\u002c \u00e9 \u0434"}"#))
        #expect(inText == 6)
        let bytes = 250_000
        #expect(BodyBudgetMiddleware.cost(ofBytes: bytes) < 1 << 20)
        #expect(BodyBudgetMiddleware.cost(ofBytes: bytes, values: bytes / 2) > 16 << 20)
        #expect(BodyBudgetMiddleware.cost(ofBytes: BodyBudgetMiddleware.freeBytes) == 0)
    }

    /// Sets what a body holds, which is of an address of its own unless one is given.
    private func hold(
        _ bytes: Int, _ number: Int, of address: String? = nil, ofUnknown isUnknown: Bool = false, at second: Int64,
        isComplete: Bool = false
    ) -> Bool {
        let id = ObjectIdentifier(bodies[number])
        let now = start + .seconds(second)
        if !bodies[number].hasEntered {
            bodies[number].hasEntered = true
            let client = isUnknown ? nil : ClientNetwork(ClientAddress(address ?? "203.0.\(number).1")!)
            budget.enter(id, of: client, at: now) { [givenUp] in givenUp.add(1) }
        }
        return budget.hold(bytes, by: id, isComplete: isComplete, at: now)
    }
}
