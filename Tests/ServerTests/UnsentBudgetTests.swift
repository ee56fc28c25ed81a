import LindenKernel
import NIOCore
import Testing

@testable import Connections
@testable import Server

/// Connections whose clients do not receive their answers.
@Suite struct UnsentBudgetTests {
    private final class Client {}

    private let budget = UnsentBudget(1000)
    private let clients = (0..<6).map { _ in Client() }
    private let start = NIODeadline.uptimeNanoseconds(0)

    @Test func bytesThatFitAreHeld() {
        for number in 0..<4 { #expect(count(250, number, at: 0)) }
    }

    @Test func aFullBudgetClosesTheConnectionThatHasReceivedNothingForLongest() {
        for number in 0..<4 { #expect(count(250, number, at: Int64(number))) }
        #expect(count(250, 0, at: 4, hasProgress: true), "it receives slowly")
        #expect(count(250, 4, at: 5), "it will fit")
        #expect(!count(250, 1, at: 5), "it has to close")
        leave(1)
        #expect(count(250, 4, at: 5))
        for number in [0, 2, 3] { #expect(count(250, number, at: 5)) }
    }

    @Test func whereAllReceiveTheNewConnectionIsClosed() {
        for number in 0..<4 { #expect(count(250, number, at: 0)) }
        #expect(!count(250, 4, at: 1))
        for number in 0..<4 { #expect(count(250, number, at: 1)) }
    }

    @Test func aSiteThatHoldsEightTimesAsMuchGivesUpTheConnectionWithMost() {
        for (number, address) in ["203.0.113.1", "203.0.113.2", "198.51.100.1", "198.51.100.2"].enumerated() {
            #expect(count(number == 1 ? 200 : 250, number, of: address, at: 0))
        }
        #expect(count(50, 5, of: "203.0.113.3", at: 0))
        #expect(!count(70, 4, of: "192.0.2.1", at: 1), "500 are not eight times as many")
        #expect(count(60, 4, of: "192.0.2.1", at: 1), "it will fit")
        let left = (0..<4).filter { count($0 == 1 ? 200 : 250, $0, at: 1, hasProgress: true) }
        #expect(left.count == 3 && left.contains(1))
        leave([0, 2, 3].first { !left.contains($0) } ?? 0)
        #expect(count(60, 4, of: "192.0.2.1", at: 1))
    }

    @Test func anAddressBeyondItsShareClosesItsOwnConnections() {
        #expect(count(250, 0, of: "192.0.2.7", at: 0))
        #expect(count(250, 1, of: "192.0.2.8", at: 1))
        #expect(count(10, 2, of: "192.0.2.8", at: 5))
        #expect(count(250, 0, of: "192.0.2.7", at: 5), "of another address, though stalled for longer")
        #expect(!count(250, 1, of: "192.0.2.8", at: 5))
    }

    @Test func sentAndClosedAnswersMakeRoom() {
        for number in 0..<4 { #expect(count(250, number, at: 0)) }
        #expect(count(0, 0, at: 0))
        leave(1)
        for number in 4..<6 { #expect(count(250, number, at: 0)) }
    }

    /// Counts the bytes of a client, which has an address of its own unless one is given.
    private func count(
        _ bytes: Int, _ number: Int, of address: String? = nil, at second: Int64, hasProgress: Bool = false
    ) -> Bool {
        budget.count(
            bytes, of: ObjectIdentifier(clients[number]),
            ClientNetwork(ClientAddress(address ?? "203.0.\(number).1")!), hasProgress: hasProgress,
            at: start + .seconds(second))
    }

    private func leave(_ number: Int) { budget.leave(ObjectIdentifier(clients[number])) }
}
