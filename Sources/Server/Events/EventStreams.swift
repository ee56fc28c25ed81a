import CoreMetrics
import Hummingbird
import Linden
import LindenReporting
import Logging

/// The streams of apps' activity, of the management API and of the dashboard, which share a reader for each app.
struct EventStreams: Sendable {
    let exports: ExportService
    /// The number of open streams.
    private let open: Meter
    private let broadcaster: EventBroadcaster
    private let turns = CatchUpTurns()

    init(exports: ExportService, open: Meter) {
        self.exports = exports
        self.open = open
        broadcaster = EventBroadcaster(exports: exports)
    }

    /// Returns the body that a listener is sent. Fails with `unavailable` if the app has the maximum number of listeners.
    ///
    /// - Parameters:
    ///   - onBegin: called before the stream begins; returns whether it may. A response whose client is gone has no beginning.
    ///   - onEnd: called once a stream that has begun has ended.
    func body(
        of listener: EventListener, in scope: Scope, logger: Logger, onBegin: @escaping @Sendable () -> Bool = { true },
        onEnd: @escaping @Sendable () -> Void = {}
    ) async throws -> ResponseBody {
        try await broadcaster.checkRoom(scope)
        return ResponseBody { [broadcaster, turns, open] writer in
            guard onBegin() else { return try await writer.finish(nil) }
            open.increment()
            defer {
                open.decrement()
                onEnd()
            }
            let broadcast = try await broadcaster.join(scope, logger: logger)
            do {
                try await listener.listen(to: broadcast, turns, &writer)
            } catch {
                await broadcaster.leave(scope)
                throw error
            }
            await broadcaster.leave(scope)
            try await writer.finish(nil)
        }
    }
}
