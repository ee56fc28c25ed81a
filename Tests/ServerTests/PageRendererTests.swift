import Dispatch
import LindenKernel
import LindenServices
import NIOCore
import Testing

@testable import Server

@Suite struct PageRendererTests {
    @Test func oneSiteTakesAtMostAnEighthOfThePages() {
        let renderer = PageRenderer()
        let (gate, finished) = (DispatchSemaphore(value: 0), DispatchGroup())
        func render(for site: Int, _ address: Int = 7) -> Bool {
            finished.enter()
            let isTaken = renderer.render(for: client("203.0.\(site).\(address)"), { gate.wait() }, then: { _ in finished.leave() })
            if !isTaken { finished.leave() }
            return isTaken
        }
        let share = PageRenderer.capacity / 8
        var taken = (0..<PageRenderer.capacity).count { render(for: 1, 1 + $0 % 8) }
        #expect(taken == share)
        for site in 2...8 { taken += (0..<share).count { _ in render(for: site) } }
        #expect(taken == PageRenderer.capacity)
        #expect(!render(for: 9))

        for _ in 0..<taken { gate.signal() }
        finished.wait()
        taken = (0..<share).count { _ in render(for: 1) }
        #expect(taken == share, "what was rendered makes room again")
        for _ in 0..<taken { gate.signal() }
        finished.wait()
    }

    @Test(.timeLimit(.minutes(1))) func exportsAndPicturesDoNotDelayPages() async throws {
        let finish = DispatchSemaphore(value: 0)
        let count = 4 * System.coreCount
        defer { for _ in 0..<2 * count { finish.signal() } }
        for _ in 0..<count {
            BackgroundThreads.exports.submit { finish.wait() }
            BackgroundThreads.pictures.submit { finish.wait() }
        }

        let page = try await PageRenderer().render(for: client("203.0.113.7")) { "a page" }

        #expect(page == "a page")
    }

    @Test(arguments: [(0..<16).map { "2001:db8:1:\($0)::7" }, (0..<16).map { "203.0.113.\($0)" }])
    func theAddressesOfOneSiteTakeAtMostHalfOfABudget(addresses: [String]) {
        let budget = SharedBudget(16)
        let taken = addresses.count { budget.take(1, of: client($0)) }
        #expect(taken == 8)
        #expect((0..<4).allSatisfy { _ in budget.take(1, of: client("2001:db8:2::7")) })
        #expect((0..<4).allSatisfy { _ in budget.take(1, of: client("198.51.100.1")) })
        budget.giveBack(1, of: client(addresses[0]))
        #expect(budget.take(1, of: client(addresses[9])), "what is given back makes room again")
    }

    @Test func thePagesOfOneSiteDoNotDelayThoseOfOthers() {
        var turns = FairQueue<String>()
        for number in 1...3 { turns.append("first \(number)", of: client("2001:db8:1:\(number)::7").site) }
        turns.append("second", of: client("2001:db8:2::7").site)
        turns.append("unknown", of: nil)
        var served: [String] = []
        while let next = turns.next() { served.append(next) }
        #expect(served == ["first 1", "second", "unknown", "first 2", "first 3"])
    }

    @Test func visitorsWithoutAnAddressShareNoPlaces() {
        let places = SharedBudget(8)
        #expect((0..<8).allSatisfy { _ in places.take(1, of: nil) })
        #expect(!places.take(1, of: nil))
    }

    private func client(_ address: String) -> ClientNetwork { ClientNetwork(ClientAddress(address)!) }
}
