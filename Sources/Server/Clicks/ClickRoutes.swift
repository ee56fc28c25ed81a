import BranchWire
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
        // A page that sends the link by text message first asks for the id of a click on it (Web SDK up to 2.67).
        let wantsID = request.rawQuery == "click=click"
        let browser = request.cookies[BrowserCookie.number]?.value
        let visit = Visit(
            host: request.host, path: request.rawPath, query: wantsID ? nil : request.rawQuery,
            userAgent: request.header(.userAgent) ?? "", clientHints: request.clientHints, referrer: request.header(.referer),
            address: options.clientAddress(of: request, context), browser: browser.flatMap { services.publicIDs.id(for: $0) },
            isPrefetch: request.isFetchedAhead || !(request.isNavigation || wantsID), isHead: request.method == .head,
            wantsTags: request.wantsTags)
        guard let redirection = try await services.clicks.visit(visit) else { throw Failure.noSuchLink }
        if wantsID { return .json(["click_id": .string(redirection.clickID)]) }
        var response = response(to: redirection)
        response.askForClientHints()
        if let keepsake = redirection.keepsake {
            response.keep(keepsake, services.publicIDs, isSecure: options.isSecure(request, context, services.baseURL))
        }
        return response
    }

    /// A page's visitor wants the link on his phone. Linden sends no text messages itself: the wish is stored with the phone number, as
    /// an event named `sms`, for whatever sends them.
    func textMessage(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey)
        let id = context.parameters.get("click_id") ?? ""
        guard try await isClickOrLink(id, app, request) else { throw Failure.invalid("\(id) is no click or link of this app.") }
        guard body.text("phone") != nil else { throw Failure.invalid("phone is missing.") }
        guard !body.isTrackingDisabled else { return .json([:]) }
        let event = EventRequest(RequestFields(body.members.merging(["link_click_id": .string(id)])))
        try await services.events.record(event.event(endpoint: "c", fallback: "sms", services.publicIDs), in: app.scope)
        return .json([:])
    }

    private func isClickOrLink(_ id: String, _ app: AppContext, _ request: Request) async throws -> Bool {
        if try await services.clicks.click(id, in: app.scope) != nil { return true }
        return try await services.clicks.scope(host: request.host, path: "/" + id) == app.scope
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
                    fallback: fallback?.url(clickID: redirection.clickID), timeout: app.timeout, after: app.afterURL))
        case .preview:
            return .html(.preview(of: link, app: redirection.app, url: services.links.url(of: link)))
        case .nowhere:
            return .html(.nowhere(title: title))
        }
    }
}

extension Response {
    fileprivate mutating func keep(_ keepsake: BrowserKeepsake, _ ids: PublicIDs, isSecure: Bool) {
        setCookie(
            BrowserCookie.cookie(
                BrowserCookie.number, ids.string(for: keepsake.browser), for: BrowserCookie.lifetime, isSecure: isSecure))
        setCookie(
            BrowserCookie.cookie(
                BrowserCookie.click(keepsake.scope), ids.string(for: keepsake.click), for: keepsake.window, isSecure: isSecure))
    }
}

extension Request {
    /// An app that opens other apps asks for a page's App Links tags first (applinks.org), and goes where they lead.
    fileprivate var wantsTags: Bool {
        headers[.preferHTMLMetaTags]?.split(separator: ",").contains { $0.trimmingPrefix { $0 == " " }.hasPrefix("al") } == true
    }

    /// A browser fetching ahead says so in one of these headers.
    fileprivate var isFetchedAhead: Bool {
        [HTTPField.Name.secPurpose, .purpose, .xPurpose, .xMoz].contains { name in
            let value = headers[name]?.lowercased() ?? ""
            return value.contains("prefetch") || value.contains("prerender") || value.contains("preview")
        }
    }
}
