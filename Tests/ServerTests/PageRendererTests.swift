import Dispatch
import NIOCore
import Testing

@testable import Server

@Suite struct PageRendererTests {
    @Test func oneAddressTakesAtMostAQuarterOfThePages() {
        let renderer = PageRenderer()
        let (gate, finished) = (DispatchSemaphore(value: 0), DispatchGroup())
        func render(for network: UInt64?) -> Bool {
            finished.enter()
            let isTaken = renderer.render(for: network, { gate.wait() }, then: { _ in finished.leave() })
            if !isTaken { finished.leave() }
            return isTaken
        }
        let share = PageRenderer.capacity / 4
        var taken = (0..<PageRenderer.capacity).count { _ in render(for: 1) }
        #expect(taken == share)
        for network in 2...4 as ClosedRange<UInt64> { taken += (0..<share).count { _ in render(for: network) } }
        #expect(taken == PageRenderer.capacity)
        #expect(!render(for: 5))

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

        let page = try await PageRenderer().render(for: 1) { "a page" }

        #expect(page == "a page")
    }

    @Test func visitorsWithoutAnAddressShareNoPlaces() {
        let places = SharedBudget(8)
        #expect((0..<8).allSatisfy { _ in places.take(1, of: nil) })
        #expect(!places.take(1, of: nil))
    }
}
