import HTTPTypes
import Hummingbird

/// The icon that browsers request from every host. There is none; browsers cache that for a day.
enum FaviconRoutes {
    @Sendable static func none(_ request: Request, _ context: LindenContext) async throws -> Response {
        Response(status: .noContent, headers: [.cacheControl: "public, max-age=86400"])
    }
}
