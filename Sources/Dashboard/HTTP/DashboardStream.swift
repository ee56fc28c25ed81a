import Linden
import LindenReporting
import LindenServices

/// A stream of an app's clicks, sessions and events, each as ``LiveRow``, which the server sends as server-sent events.
package struct DashboardStream: Sendable {
    package let scope: Scope
    package let user: DashboardUser.ID
    package let topics: [ExportTopic]
    /// The platform of the rows; nil for all.
    package let platform: LivePlatform?
    /// The number of rows after which the stream ends; nil for no limit.
    package let limit: Int?
    /// Whether the reader may still see the app. Asked every few seconds.
    package let isAllowed: @Sendable () async throws -> Bool

    init(
        scope: Scope, user: DashboardUser.ID, topics: [ExportTopic], platform: LivePlatform?, limit: Int?,
        isAllowed: @escaping @Sendable () async throws -> Bool
    ) {
        self.scope = scope
        self.user = user
        self.topics = topics
        self.platform = platform
        self.limit = limit
        self.isAllowed = isAllowed
    }
}
