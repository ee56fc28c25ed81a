import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import Pages

/// Browser IDs for the Web SDK, and the match of a browser with an app on the same device.
struct BrowserRoutes {
    let directory: AppDirectory
    let browsers: BrowserService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let options: ServerOptions

    /// Returns the browser's ID to a page's script: the one that the page sends, else the one in the site's cookie, else a new one. Each
    /// site has its own cookie, since an ID shared by all sites would let each of them act as another's identity. A page can send any ID,
    /// so that one is never stored in the cookie. Only for a page of the app's own hosts is the ID associated with the app on the device.
    func number(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await context.beginTurn()
        let name = request.referringPage.flatMap(BrowserCookie.number(site:))
        let kept: Browser.ID? = name.flatMap { cookie($0, of: request) }
        let remembered: Browser.ID? = request.queryValue("_t").flatMap { publicIDs.id(for: $0) }
        var app: AppContext?
        if let key = request.queryValue("branch_key") { app = try await directory.knownApp(branchKey: key) }
        if let app { try context.admit(app.scope) } else { try context.admission?.countWithoutKey() }
        let browser = try await browsers.number(remembered: [remembered, kept].compactMap { $0 })
        if let app, let clicker: Browser.ID = cookie(BrowserCookie.number, of: request), request.isFromPage(of: app, baseURL) {
            try await browsers.introduce(browser, as: clicker, in: app.scope)
        }
        let number = publicIDs.string(for: browser)
        var response = Response.json(.string(number))
        response.headers[.cacheControl] = "private, no-store"
        if let name, browser == kept || browser != remembered {
            response.headers.append(
                BrowserCookie.field(
                    name, number, for: BrowserCookie.lifetime,
                    isSecure: options.isSecure(request, from: context.peer, baseURL)))
        }
        return response
    }

    /// Associates the browser with the app's device. An app loads this page invisibly in the phone's browser: the cookies hold the
    /// browser's ID and last click, the query identifies the device. Any page counts as success; a browser without cookies gets the same
    /// one.
    func strongMatch(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = try RequestFields(query: request.rawQuery ?? "")
        let app = try await context.admittedApp(query, in: directory)
        // Only for navigations that no page began: any site could embed the page or lead to it, with any device in its query.
        if let browser: Browser.ID = cookie(BrowserCookie.number, of: request), request.isNavigation,
            request.headers[.secFetchSite].map({ $0 == "none" }) ?? true, !query.isTrackingDisabled
        {
            try await browsers.keep(
                browser: browser, click: cookie(BrowserCookie.click(app.scope), of: request),
                deviceKeys: DeviceDescription.keys(query),
                from: context.client, in: app.scope)
        }
        return .html(.empty)
    }

    /// Whether the app is known to be on the browser's device: a bare `true` or `false` (Web SDK up to 2.75). Pages of other sites get
    /// `false`, as for unknown browsers.
    func hasApp(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.admittedApp(branchKey: context.parameters.get("branch_key"), in: directory)
        let browser: Browser.ID? = request.queryValue("browser_fingerprint_id").flatMap { publicIDs.id(for: $0) }
        var hasApp = false
        if let browser, request.isFromPage(of: app, baseURL) { hasApp = try await browsers.hasApp(browser, in: app.scope) }
        var response = Response.json(.bool(hasApp))
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    private func cookie<Entity>(_ name: String, of request: Request) -> Identifier<Entity>? {
        request.cookie(name).flatMap { publicIDs.id(for: $0) }
    }
}
