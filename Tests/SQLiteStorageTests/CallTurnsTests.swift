import Dispatch
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// Which of the calls that wait for the writer comes first.
@Suite struct CallTurnsTests {
    /// Queues a call for each site while the writer is busy, and returns the sites in the order in which their calls ran.
    ///
    /// - Parameter app: returns the app whose client a site is.
    private static func order(
        of sites: [UInt64?], app: (UInt64) -> (id: Int64, isAuthorized: Bool) = { _ in (1, false) }
    ) async throws -> [UInt64?] {
        try await Installation.run { installation in
            let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let storage = installation.storage
            let ran = Mutex<[UInt64?]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await storage.write { _ in
                        isBusy.signal()
                        _ = mayGoOn.wait(timeout: .now() + 10)
                    }
                }
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        isBusy.wait()
                        continuation.resume()
                    }
                }
                for site in sites {
                    let origin = site.map(CallOrigin.init)
                    if let site {
                        let app = app(site)
                        origin?.belongs(to: Identifier(rawValue: app.id), isAuthorized: app.isAuthorized)
                    }
                    CallOrigin.$current.withValue(origin) {
                        storage.write({ _ in ran.withLock { $0.append(site) } }, then: { _ in })
                    }
                }
                mayGoOn.signal()
                try await group.waitForAll()
            }
            while ran.withLock({ $0.count }) < sites.count { try await Task.sleep(for: .milliseconds(5)) }
            return ran.withLock { $0 }
        }
    }

    @Test func theCallsOfOneSiteDoNotDelayThoseOfAnother() async throws {
        let order = try await Self.order(of: Array(repeating: 1, count: 50) + [2, 2])
        #expect(order.prefix(4) == [1, 2, 1, 2])
        #expect(order.count == 52)
    }

    /// As where strangers of many networks flood one app.
    @Test func theClientsOfOneAppDoNotDelayThoseOfAnotherNorTheAppsOwnServer() async throws {
        let order = try await Self.order(of: Array(1...50) + [100, 101, 200]) { site in
            site < 100 ? (1, false) : site < 200 ? (1, true) : (2, false)
        }
        #expect(order.prefix(5) == [1, 100, 200, 2, 101])
        #expect(order.count == 53)
    }

    @Test func aVisitComesBeforeTheCallsOfSites() async throws {
        let order = try await Self.order(of: Array(repeating: 1, count: 50) + [nil, nil])
        #expect(order.prefix(3) == [nil, nil, 1])
    }

    @Test func manyVisitsDoNotKeepTheCallsOfSitesWaiting() async throws {
        let order = try await Self.order(of: Array(repeating: nil, count: 200) + [1, 2])
        #expect(try #require(order.firstIndex(of: 1)) <= 64)
        #expect(try #require(order.firstIndex(of: 2)) <= 129)
    }
}
