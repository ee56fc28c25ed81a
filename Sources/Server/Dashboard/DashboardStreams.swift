import Dashboard
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Logging
import Synchronization

/// The streams of the dashboard's live pages: a limited number for each user and app, so that they leave room for the management API's.
final class DashboardStreams: Sendable {
    private struct Counts {
        var users: [DashboardUser.ID: Int] = [:]
        var scopes: [Scope: Int] = [:]

        func hasRoom(for stream: DashboardStream) -> Bool {
            users[stream.user, default: 0] < DashboardStreams.mostPerUser
                && scopes[stream.scope, default: 0] < DashboardStreams.mostPerScope
        }
    }

    static let mostPerUser = 10
    static let mostPerScope = 50

    private let streams: EventStreams
    private let counts = Mutex(Counts())

    init(_ streams: EventStreams) {
        self.streams = streams
    }

    /// Returns the body of a stream. Fails with `unavailable` beyond a limit.
    ///
    /// - Parameter since: the id of the last row that a script has, which connects again; nil to begin now.
    func body(of stream: DashboardStream, since: String?, logger: Logger) async throws -> ResponseBody {
        let end = try await streams.exports.tail(stream.topics, in: stream.scope, since: nil)
        // A row of long ago is on no page any more.
        let oldest = IDGenerator.first(at: streams.exports.clock.now() - .seconds(60))
        let last = since.flatMap { Int64($0) }.map { max($0, oldest) }
        let listener = EventListener(
            tail: last.map { end.continuing(after: min($0, end.position)) } ?? end, topics: Set(stream.topics.map(\.rawValue)),
            platform: stream.platform, limit: stream.limit ?? .max, app: stream.scope.app, text: { $0.liveText },
            isAllowed: stream.isAllowed)
        guard counts.withLock({ $0.hasRoom(for: stream) }) else {
            throw Failure.unavailable(
                "At most \(Self.mostPerUser) live pages of a user, and \(Self.mostPerScope) of an app, can listen at a time.")
        }
        return try await streams.body(
            of: listener, in: stream.scope, logger: logger, onBegin: { self.enter(stream) }, onEnd: { self.leave(stream) })
    }

    /// Counts a stream, unless there is no room.
    private func enter(_ stream: DashboardStream) -> Bool {
        counts.withLock { counts in
            guard counts.hasRoom(for: stream) else { return false }
            counts.users[stream.user, default: 0] += 1
            counts.scopes[stream.scope, default: 0] += 1
            return true
        }
    }

    private func leave(_ stream: DashboardStream) {
        counts.withLock { counts in
            counts.users[stream.user] = counts.users[stream.user].flatMap { $0 > 1 ? $0 - 1 : nil }
            counts.scopes[stream.scope] = counts.scopes[stream.scope].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}
