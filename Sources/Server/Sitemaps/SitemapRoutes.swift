import HTTPTypes
import Hummingbird
import LindenKernel
import LindenReporting
import NIOCore

/// `robots.txt`, and the sitemap of an app's own domain, for search engines.
struct SitemapRoutes {
    let sitemaps: SitemapService
    /// Of its own, so that clients that read sitemaps slowly do not hold up answers of analytics.
    let answers = AnswerBudget(of: "Sitemaps")

    /// Allows crawlers all pages, but not the API.
    func robots(_ request: Request, _ context: LindenContext) async throws -> Response {
        let text = "User-agent: *\n" + ["api", "v1", "v2", "v3"].map { "Disallow: /\($0)/\n" }.joined()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=86400"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    func sitemap(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard let (xml, app) = try await sitemaps.sitemap(of: request.host) else {
            throw Failure.notFound("This host has no sitemap.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/xml", .xContentTypeOptions: "nosniff", .cacheControl: "max-age=600"],
            body: try answers.body(xml, of: app))
    }
}
