import HTTPTypes
import Hummingbird

/// The icon that browsers ask every host for. There is none, and a browser that knows so does not ask again for a day.
enum FaviconRoutes {
    @Sendable static func none(_ request: Request, _ context: LindenContext) async throws -> Response {
        Response(status: .noContent, headers: [.cacheControl: "public, max-age=86400"])
    }
}
