import HTTPTypes

/// The kind of a request for metrics and the request log, by its route. The most frequent calls of SDKs have one each.
enum RequestKind: Int, CaseIterable, Sendable {
    /// A visit to a link, whether there is such a link or not.
    case visit
    case open, install, event
    /// The creation of a link, or of several, by an SDK or an app's own server.
    case link
    /// Any other call of an SDK, or of a link's page.
    case sdk
    /// A call of an operator, or of an app's own server.
    case management
    case dashboard
    /// A health check.
    case health
    /// Anything else, such as association files and paths without a route.
    case other

    /// - Parameter endpoint: the route's path with parameters in braces; nil for none.
    init(_ method: HTTPRequest.Method, _ endpoint: String?) {
        guard let endpoint else {
            self = .other
            return
        }
        self =
            switch endpoint {
            case "/healthz", "/readyz": .health
            case "/", "/**": .visit
            case "/v1/open": .open
            case "/v1/install": .install
            case "/v1/url" where method == .post, "/v1/url/bulk/{branch_key}": .link
            case "/v1/event", "/v2/event/standard", "/v2/event/custom", "/v1/pageview", "/v1/dismiss", "/v1/register-view",
                "/v1/content-events":
                .event
            case "/c/{click_id}", "/c/{click_id}/device": method == .post ? .sdk : .visit
            case "/mcp": .management
            case let path where path.hasPrefix("/dashboard"): .dashboard
            case let path where Routes.isForSDKs(path: path): .sdk
            case let path where path.hasPrefix("/api/") || path.hasPrefix("/v"): .management
            default: .other
            }
    }

    /// The call of an SDK; nil for other kinds.
    private var call: String? {
        switch self {
        case .open: "open"
        case .install: "install"
        case .event: "event"
        case .link: "link"
        case .sdk: "other"
        case .visit, .management, .dashboard, .health, .other: nil
        }
    }

    /// The labels of its series.
    var dimensions: [(String, String)] { [("kind", name)] + (call.map { [("call", $0)] } ?? []) }

    var name: String {
        switch self {
        case .visit: "visit"
        case .open, .install, .event, .link, .sdk: "sdk"
        case .management: "management"
        case .dashboard: "dashboard"
        case .health: "health"
        case .other: "other"
        }
    }
}
