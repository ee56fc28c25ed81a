import LindenKernel
import LinkRouting

/// The result of a visit. The click, if there was one, is durable.
package struct VisitResult: Sendable {
    private let found: ResolvedLink
    package var link: Link { found.link }
    package var app: AppContext { found.app }
    package let visitor: Visitor
    /// Whether the visited URL was the web-only variant (`/e/…`).
    package let isWebOnly: Bool
    /// The app's alternate domain, which opens the app from a page on this host; nil if it has none.
    package let alternateDomain: String?
    /// The query appended to the link, at this visit or at the earlier click.
    package let query: String?
    /// The link's control parameters for this visit.
    package let parameters: ControlParameters
    /// The data of the content object that the link is about; read for previews only.
    package let object: JSONObject
    package let time: Timestamp
    /// The destination, with the URL of its redirect for recorded visits.
    package let decision: RenderedDestination
    package var destination: Destination { decision.destination }
    /// The click's public id; "0" without a click.
    package let clickID: String
    /// The cookies to set, so that the app can ask the browser later for its last click; nil if no app will ask.
    package let clickCookies: ClickCookies?

    package init(
        _ found: ResolvedLink, visitor: Visitor, isWebOnly: Bool, alternateDomain: String?, query: String?,
        parameters: ControlParameters,
        object: JSONObject, time: Timestamp, decision: RenderedDestination, clickID: String, clickCookies: ClickCookies?
    ) {
        self.found = found
        self.visitor = visitor
        self.isWebOnly = isWebOnly
        self.alternateDomain = alternateDomain
        self.query = query
        self.parameters = parameters
        self.object = object
        self.time = time
        self.decision = decision
        self.clickID = clickID
        self.clickCookies = clickCookies
    }
}

/// The contents, besides the click's id, of the cookies that a browser keeps of a click that may lead into an app.
package struct ClickCookies: Sendable {
    package let browser: Browser.ID
    package let scope: Scope
    /// How long the click may be matched.
    package let window: Duration
}

extension ClickCookies {
    init?(_ click: RecordedClick, of found: ResolvedLink, leadingTo destination: Destination) {
        let window = found.matchWindow(appended: click.query)
        guard destination.canOpenApp, let browser = click.browser, window > .zero else { return nil }
        self.init(browser: browser, scope: found.link.scope, window: window)
    }
}
