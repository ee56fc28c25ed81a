/// What a running server does beside answering: it counts what was logged and removes what has expired.
package struct Housekeeping: Sendable {
    private static let batch = 5000

    private let storage: any Storage
    private let statistics: LinkStatisticsService

    package init(storage: any Storage, statistics: LinkStatisticsService) {
        self.storage = storage
        self.statistics = statistics
    }

    /// One round; to be called about once a second.
    package func round() async throws {
        try await statistics.fold()
        while try await storage.read({ try $0.hasRequests(before: $0.now - RequestKey.longestWindow) }) {
            try await storage.write { try $0.deleteRequests(before: $0.now - RequestKey.longestWindow, limit: Self.batch) }
        }
        while try await storage.read({ try $0.hasExpiredStrongMatches(at: $0.now) }) {
            try await storage.write { try $0.deleteExpiredStrongMatches(at: $0.now, limit: Self.batch) }
        }
        while try await storage.read({ try $0.hasExpiredOpenClicks(at: $0.now) }) {
            try await storage.write { try $0.deleteExpiredOpenClicks(at: $0.now, limit: Self.batch) }
        }
    }
}
