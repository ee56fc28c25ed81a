import Dispatch
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// Which of the calls that wait for the writer comes first.
@Suite struct CallTurnsTests {
    /// A call of a client.
    private struct Call {
        /// Nil for a visit.
        let site: UInt64?
        var app: Int64 = 1
        var isAuthorized = false
        var kilobytes = 0
        var isServers = false

        /// A call of the server's own work.
        static let server = Call(site: 0, isServers: true)

        var origin: CallOrigin? {
            guard !isServers else { return .server }
            return site.map { site in
                let origin = CallOrigin(site: site)
                origin.belongs(to: Identifier(rawValue: app), isAuthorized: isAuthorized, bytes: kilobytes << 10)
                return origin
            }
        }
    }

    /// Queues calls while the writer is busy, and returns them in the order in which they ended, with whether they ran.
    private static func outcomes(of calls: [Call]) async throws -> [(call: Call, hasRun: Bool)] {
        try await Installation.run { installation in
            let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let storage = installation.storage
            let ended = Mutex<[(Call, Bool)]>([])
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
                for call in calls {
                    CallOrigin.$current.withValue(call.origin) {
                        storage.write({ _ in ended.withLock { $0.append((call, true)) } }) { result in
                            if case .failure = result { ended.withLock { $0.append((call, false)) } }
                        }
                    }
                }
                mayGoOn.signal()
                try await group.waitForAll()
            }
            while ended.withLock({ $0.count }) < calls.count { try await Task.sleep(for: .milliseconds(5)) }
            return ended.withLock { $0 }
        }
    }

    /// Returns the sites in the order in which their calls ran.
    private static func order(of calls: [Call]) async throws -> [UInt64?] { try await outcomes(of: calls).map(\.call.site) }

    private static func order(of sites: [UInt64?]) async throws -> [UInt64?] { try await order(of: sites.map { Call(site: $0) }) }

    @Test func theCallsOfOneSiteDoNotDelayThoseOfAnother() async throws {
        let order = try await Self.order(of: Array(repeating: 1, count: 50) + [2, 2])
        #expect(order.prefix(4) == [1, 2, 1, 2])
        #expect(order.count == 52)
    }

    /// As where strangers of many networks flood one app.
    @Test func theClientsOfOneAppDoNotDelayThoseOfAnotherNorTheAppsOwnServer() async throws {
        let order = try await Self.order(
            of: (1...50).map { Call(site: $0) }
                + [Call(site: 100, isAuthorized: true), Call(site: 101, isAuthorized: true), Call(site: 200, app: 2)])
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

    /// Some of them take long, and two kinds of work together may always have one that waits.
    @Test func atMostOneCallOfTheServersOwnWorkComesBeforeThoseOfVisitorsAndClients() async throws {
        let calls = Array(repeating: Call.server, count: 10) + [Call(site: 1), Call(site: nil), Call(site: 2)]
        #expect(try await Self.order(of: calls) == [0, nil, 1, 2] + Array(repeating: 0, count: 9))
    }

    /// The queue has room for 8 MB of bodies: half of it for an app's clients, a quarter for a site.
    @Test func sitesAndAppsThatFillTheQueueDoNotKeepOthersOutOfIt() async throws {
        let refused = try await Self.outcomes(of: [
            Call(site: 1, kilobytes: 3000), Call(site: 1), Call(site: 2, kilobytes: 2000), Call(site: 2), Call(site: 3),
            Call(site: 4, app: 2, kilobytes: 3000), Call(site: 5, app: 2, kilobytes: 2000), Call(site: 4, app: 2),
            Call(site: 6, app: 3), Call(site: 6, app: 3, isAuthorized: true), Call(site: 6, app: 3, kilobytes: 1000),
            Call(site: 6, app: 3),
        ]).filter { !$0.hasRun }.map(\.call)
        #expect(refused.map(\.site) == [1, 2, 4, 6])
        #expect(refused.last?.kilobytes == 1000, "the queue is full for large calls")
    }
}
