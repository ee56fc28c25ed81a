import LinkRouting

/// What to answer a visit with. The click, if there was one, is durable.
package struct Redirection: Sendable {
    private let found: FoundLink
    package var link: Link { found.link }
    package var app: AppContext { found.app }
    package let visitor: Visitor
    /// Whether the link's address was that for the web only (`/e/…`).
    package let isWebOnly: Bool
    /// The app's second host, on which it may be opened from a page on this one; nil if it has none.
    package let secondHost: String?
    /// What was appended to the link, now or where it was clicked before.
    package let query: String?
    /// The link's control parameters as they were read for this visit.
    package let parameters: ControlParameters
    /// What is known of the content that the link is about; read for previews alone.
    package let object: JSONObject
    package let time: Timestamp
    package let destination: Destination
    /// The click's id as the wire shows it.
    package let clickID: String
    /// What the browser should keep, so that the app can ask it later what was clicked; nil if no app will ask.
    package let keepsake: BrowserKeepsake?

    init(
        _ found: FoundLink, visitor: Visitor, isWebOnly: Bool, secondHost: String?, query: String?, parameters: ControlParameters,
        object: JSONObject, time: Timestamp, destination: Destination, clickID: String, keepsake: BrowserKeepsake?
    ) {
        self.found = found
        self.visitor = visitor
        self.isWebOnly = isWebOnly
        self.secondHost = secondHost
        self.query = query
        self.parameters = parameters
        self.object = object
        self.time = time
        self.destination = destination
        self.clickID = clickID
        self.keepsake = keepsake
    }
}

/// What a browser keeps of a click that may lead into an app.
package struct BrowserKeepsake: Sendable {
    package let browser: Browser.ID
    package let click: Click.ID
    package let scope: Scope
    /// How long the click may be matched.
    package let window: Duration
}
