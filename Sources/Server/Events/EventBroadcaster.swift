import Linden
import LindenKernel
import LindenReporting
import Logging

/// The broadcasts with listeners, one per app and mode. Each reads twice a second as long as it has listeners.
actor EventBroadcaster {
    private struct Entry {
        let broadcast: EventBroadcast
        let reading: Task<Void, Never>
        var listeners = 0
    }

    /// Maximum number of concurrent listeners per app and mode.
    static let maximumListeners = 100

    private let exports: ExportService
    private var entries: [Scope: Entry] = [:]

    init(exports: ExportService) {
        self.exports = exports
    }

    /// Fails with `unavailable` if the app has the maximum number of listeners.
    func checkRoom(_ scope: Scope) throws {
        guard entries[scope]?.listeners ?? 0 < Self.maximumListeners else {
            throw Failure.unavailable("This app's event stream has \(Self.maximumListeners) listeners already; please try again.")
        }
    }

    /// Returns the app's broadcast and adds a listener, which must be removed with ``leave(_:)``. Fails with `unavailable` if there are too
    /// many.
    func join(_ scope: Scope, logger: Logger) async throws -> EventBroadcast {
        try checkRoom(scope)
        if entries[scope] == nil {
            let tail = try await exports.tail([], in: scope, since: nil)
            if entries[scope] == nil { entries[scope] = begin(EventBroadcast(tail), logger) }
            // Other listeners may have joined during the suspension.
            try checkRoom(scope)
        }
        entries[scope]!.listeners += 1
        return entries[scope]!.broadcast
    }

    func leave(_ scope: Scope) {
        guard var entry = entries[scope] else { return }
        entry.listeners -= 1
        entries[scope] = entry.listeners > 0 ? entry : nil
        if entry.listeners == 0 { entry.reading.cancel() }
    }

    private func begin(_ broadcast: EventBroadcast, _ logger: Logger) -> Entry {
        let reading = Task(executorPreference: BackgroundThreads.exports) {
            while !Task.isCancelled {
                do {
                    try await broadcast.read()
                } catch {
                    logger.warning("The event stream could not be read; it will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        return Entry(broadcast: broadcast, reading: reading)
    }
}
