import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import Pages

/// What a browser is known again by, for the Web SDK and for apps that ask the browser beside them.
struct BrowserRoutes {
    let services: Services
    let options: ServerOptions

    /// The browser's number, as the script of a page asks for it: the one the page remembers, or the one this site was told before, or a
    /// new one. Each site has a cookie of its own: a number that every site is told would let any of them be the user of another. A page
    /// may remember what it likes, so its number never gets into the cookie. Only a page of the app's own hosts is given a number by which
    /// the app is found beside the browser.
    func number(_ request: Request, _ context: LindenContext) async throws -> Response {
        let name = request.header(.referer).flatMap(BrowserCookie.number(site:))
        let kept: Browser.ID? = name.flatMap { cookie($0, of: request) }
        let remembered: Browser.ID? = request.queryValue("_t").flatMap { services.publicIDs.id(for: $0) }
        var app: AppContext?
        if let key = request.queryValue("branch_key") { app = try await services.directory.knownApp(branchKey: key) }
        if let app { try context.admit(app.scope) } else { try context.admission?.countWithoutKey() }
        let browser = try await services.browsers.number(remembered: [remembered, kept].compactMap { $0 })
        if let app, let clicker: Browser.ID = cookie(BrowserCookie.number, of: request), isOwnPage(request, of: app) {
            try await services.browsers.introduce(browser, as: clicker, in: app.scope)
        }
        let number = services.publicIDs.string(for: browser)
        var response = Response.json(.string(number))
        response.headers[.cacheControl] = "private, no-store"
        if let name, browser == kept || browser != remembered {
            response.headers.append(
                BrowserCookie.field(
                    name, number, for: BrowserCookie.lifetime,
                    isSecure: options.isSecure(request, from: context.peer, services.baseURL)))
        }
        return response
    }

    /// An app shows this page, unseen, in the phone's browser: the cookies tell what was clicked there, the query tells the device. Any page
    /// is success, and nothing is said to a browser that has nothing to tell.
    func strongMatch(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = try RequestFields(query: request.rawQuery ?? "")
        let app = try await context.app(query, of: services)
        // A page that is loaded into another could be put there by anybody, with any device in its query.
        if let browser: Browser.ID = cookie(BrowserCookie.number, of: request), request.isNavigation, !query.isTrackingDisabled {
            try await services.browsers.keep(
                browser: browser, click: cookie(BrowserCookie.click(app.scope), of: request),
                deviceKeys: DeviceDescription.keys(query),
                from: options.clientAddress(of: request, context), in: app.scope)
        }
        return .html(.empty)
    }

    /// Whether the browser is known to be beside the app: a bare `true` or `false` (Web SDK up to 2.75). A page of another site reads
    /// `false`, as for a browser that is not known.
    func hasApp(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.app(branchKey: context.parameters.get("branch_key"), of: services)
        let browser: Browser.ID? = request.queryValue("browser_fingerprint_id").flatMap { services.publicIDs.id(for: $0) }
        var hasApp = false
        if let browser, isOwnPage(request, of: app) { hasApp = try await services.browsers.hasApp(browser, in: app.scope) }
        var response = Response.json(.bool(hasApp))
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// Whether a call comes from a page of the app's own, by the origin that the browser names. Other sites learn nothing of which app
    /// their visitors have.
    private func isOwnPage(_ request: Request, of app: AppContext) -> Bool {
        guard let host = request.pageHost else { return false }
        return app.routing.ownHosts.contains(host) || host == (app.domain ?? services.baseURL.host)
    }

    private func cookie<Entity>(_ name: String, of request: Request) -> Identifier<Entity>? {
        request.cookie(name).flatMap { services.publicIDs.id(for: $0) }
    }
}
