import HTTPTypes
import Hummingbird
import LindenKernel
import LindenReporting
import NIOCore

/// `robots.txt`, and the sitemap of an app's own domain, for search engines.
struct SitemapRoutes {
    let sitemaps: SitemapService

    /// Allows crawlers all pages, but not the API.
    func robots(_ request: Request, _ context: LindenContext) async throws -> Response {
        let text = "User-agent: *\n" + ["api", "v1", "v2", "v3"].map { "Disallow: /\($0)/\n" }.joined()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=86400"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    func sitemap(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard let xml = try await sitemaps.sitemap(of: request.host) else {
            throw Failure.notFound("This host has no sitemap.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/xml", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=600"],
            body: ResponseBody(contentLength: xml.count) { writer in
                // The sitemap is shared in memory; each response copies only the part being written.
                for start in stride(from: 0, to: xml.count, by: Self.part) {
                    try await writer.write(ByteBuffer(bytes: xml[start..<min(start + Self.part, xml.count)]))
                }
                try await writer.finish(nil)
            })
    }

    /// Bytes per write.
    private static let part = 64 << 10
}
