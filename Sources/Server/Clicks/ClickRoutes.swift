import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import Pages

/// What happens at a link's own address.
struct ClickRoutes {
    let services: Services
    let options: ServerOptions

    /// The answer leaves only when the click is on the disk.
    func visit(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard !Routes.isAPI(path: request.rawPath) else { throw Failure.notFound("There is no such call.") }
        let visit = Visit(
            host: request.host, path: request.rawPath, query: request.rawQuery, userAgent: request.header(.userAgent) ?? "",
            referrer: request.header(.referer), address: options.clientAddress(of: request, context),
            isPrefetch: request.isPrefetch, isHead: request.method == .head)
        guard let redirection = try await services.clicks.visit(visit) else { throw Failure.noSuchLink }
        return response(to: redirection)
    }

    private func response(to redirection: Redirection) -> Response {
        let link = redirection.link
        let title = link.title ?? redirection.app.app.name
        switch redirection.destination.action {
        case .redirect(let target):
            return .found(target.url(clickID: redirection.clickID))
        case .openApp(let app, let fallback):
            return .html(
                .interstitial(
                    title: title, appURI: app.uri(clickID: redirection.clickID),
                    fallback: fallback?.url(clickID: redirection.clickID)))
        case .preview:
            return .html(.preview(of: link, appName: redirection.app.app.name, url: services.links.url(of: link)))
        case .nowhere:
            return .html(.nowhere(title: title))
        }
    }
}

extension Request {
    /// A browser fetching ahead says so in one of these headers.
    fileprivate var isPrefetch: Bool {
        [HTTPField.Name.secPurpose, .purpose, .xPurpose, .xMoz].contains { name in
            let value = headers[name]?.lowercased() ?? ""
            return value.contains("prefetch") || value.contains("prerender") || value.contains("preview")
        }
    }
}
