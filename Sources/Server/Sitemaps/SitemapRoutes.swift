import HTTPTypes
import Hummingbird
import Linden
import NIOCore

/// What search engines may list of an app's own domain.
struct SitemapRoutes {
    let services: Services

    /// Crawlers may read every page; calls are not for them.
    func robots(_ request: Request, _ context: LindenContext) async throws -> Response {
        let text = "User-agent: *\n" + ["api", "v1", "v2", "v3"].map { "Disallow: /\($0)/\n" }.joined()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=86400"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    func sitemap(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard let xml = try await services.sitemaps.sitemap(of: request.host) else {
            throw Failure.notFound("This host has no sitemap.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/xml", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=600"],
            body: ResponseBody(contentLength: xml.count) { writer in
                // A large one is held once, and each reader has only the part that is on its way.
                for start in stride(from: 0, to: xml.count, by: Self.part) {
                    try await writer.write(ByteBuffer(bytes: xml[start..<min(start + Self.part, xml.count)]))
                }
                try await writer.finish(nil)
            })
    }

    /// Bytes that are written at a time.
    private static let part = 64 << 10
}
