import Foundation
import Synchronization

/// Decides which requests are traced, and keeps their spans until they are sent.
///
/// It is no tracer of swift-distributed-tracing, which finds a span's parent in the task: visits are answered by callbacks, without a task.
package final class Tracer: Sendable {
    private struct State {
        var spans: [Span] = []
        var dropped = 0
    }

    /// The most spans that wait to be sent. More are dropped and counted.
    static let mostWaiting = 4096

    private let share: Double
    private let state = Mutex(State())

    /// - Parameter share: the share of requests that are traced, between 0 and 1, where no caller has decided.
    package init(share: Double) {
        self.share = share
    }

    /// Returns the context of a new request and the caller's span; nil if the request is not traced.
    ///
    /// - Parameter header: the `traceparent` of a caller that may decide, such as a trusted proxy; nil for others.
    package func begin(_ header: String?) -> (context: TraceContext, parent: String?)? {
        if let header, let caller = TraceParent(header) {
            guard caller.isRecorded else { return nil }
            let context = TraceContext(traceID: caller.context.traceID, spanID: TraceContext.newSpanID())
            return (context, caller.context.spanID)
        }
        return Double.random(in: 0..<1) < share ? (TraceContext.new(), nil) : nil
    }

    package func record(_ span: Span) {
        state.withLock { state in
            if state.spans.count < Self.mostWaiting { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    /// Returns the spans since the last call, and how many were dropped.
    package func take() -> (spans: [Span], dropped: Int) {
        state.withLock { state in
            defer { state = State() }
            return (state.spans, state.dropped)
        }
    }

    /// The current time in nanoseconds since 1970.
    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
