import Dispatch
import LindenKernel
import LindenServices
import NIOCore
import Synchronization
import Testing

@testable import Server

@Suite struct PageRendererTests {
    @Test func oneSiteTakesAtMostAnEighthOfThePages() {
        let pages = HeldPages()
        for number in 0..<PageRenderer.capacity { pages.render(for: client("203.0.1.\(1 + number % 8)")) }
        #expect(pages.refused == PageRenderer.capacity - PageRenderer.share)

        pages.finish()
        #expect(pages.rendered == PageRenderer.share)
        for _ in 0..<PageRenderer.share { pages.render(for: client("203.0.1.1")) }
        #expect(pages.refused == PageRenderer.capacity - PageRenderer.share, "what was rendered makes room again")
        pages.finish()
    }

    @Test func whenAllPlacesAreTakenASiteThatHasNoneGetsThatOfAnother() {
        let pages = HeldPages()
        for site in 1...8 { for _ in 0..<PageRenderer.share { pages.render(for: client("203.0.\(site).7")) } }
        #expect(pages.refused == 0)

        for _ in 0..<4 { pages.render(for: client("203.0.9.7")) }
        #expect(pages.refused == 4, "one of another site for each")

        pages.finish()
        #expect(pages.rendered == PageRenderer.capacity)
        #expect(pages.sites[client("203.0.9.7").site] == 4)
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

/// Pages that are not finished before they may be.
private final class HeldPages: Sendable {
    private struct State {
        var refused = 0
        var sites: [UInt64: Int] = [:]
        var begun = 0
    }

    private let renderer = PageRenderer()
    private let (gate, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
    private let state = Mutex(State())

    var refused: Int { state.withLock(\.refused) }
    var rendered: Int { state.withLock { $0.sites.values.reduce(0, +) } }
    /// The rendered pages of each site.
    var sites: [UInt64: Int] { state.withLock(\.sites) }

    func render(for client: ClientNetwork) {
        ended.enter()
        state.withLock { $0.begun += 1 }
        renderer.render(for: client, { [gate] in gate.wait() }) { [self] page in
            state.withLock { if page == nil { $0.refused += 1 } else { $0.sites[client.site, default: 0] += 1 } }
            ended.leave()
        }
    }

    /// Lets all pages be finished, and waits for them.
    func finish() {
        let count = state.withLock { state in
            defer { state.begun = 0 }
            return state.begun
        }
        for _ in 0..<count { gate.signal() }
        ended.wait()
    }
}
