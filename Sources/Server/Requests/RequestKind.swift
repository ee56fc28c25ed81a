import HTTPTypes

/// The kind of a request for metrics and the request log, by its route.
enum RequestKind: Int, CaseIterable, Sendable {
    /// A visit to a link, whether there is such a link or not.
    case visit
    /// A call of an SDK, or of a link's page.
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
            case "/c/{click_id}", "/c/{click_id}/device": method == .post ? .sdk : .visit
            case "/mcp": .management
            case let path where path.hasPrefix("/dashboard"): .dashboard
            case let path where Routes.isForSDKs(path: path): .sdk
            case let path where path.hasPrefix("/api/") || path.hasPrefix("/v"): .management
            default: .other
            }
    }

    var name: String {
        switch self {
        case .visit: "visit"
        case .sdk: "sdk"
        case .management: "management"
        case .dashboard: "dashboard"
        case .health: "health"
        case .other: "other"
        }
    }
}
