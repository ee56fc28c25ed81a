import Linden

/// Merges pending clicks from a server's memory into the database.
package struct PendingClickService: Sendable {
    /// Rows per transaction. Clicks wait for the writer during one.
    private static let batch = 1000

    private let storage: any Database

    package init(storage: any Database) {
        self.storage = storage
    }

    /// Merges the pending clicks that are due. Must be called about once a second. Entries that are not merged because the task is
    /// cancelled or a write fails are merged by a later call.
    package func merge() async throws {
        guard try await storage.read({ try $0.beginMergingPendingClicks() }) else { return }
        var next: Int? = 0
        while let position = next, !Task.isCancelled {
            next = try await storage.write { try $0.mergePendingClicks(from: position, limit: Self.batch) }
        }
    }
}
