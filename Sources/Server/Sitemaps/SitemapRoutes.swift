import HTTPTypes
import Hummingbird
import Linden
import NIOCore

/// What search engines may list of an app's own domain.
struct SitemapRoutes {
    let services: Services

    func sitemap(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard let xml = try await services.sitemaps.sitemap(of: request.host) else {
            throw Failure.notFound("This host has no sitemap.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/xml", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=600"],
            body: .init(byteBuffer: ByteBuffer(bytes: xml)))
    }
}
