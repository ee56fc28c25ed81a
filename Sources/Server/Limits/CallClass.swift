import HTTPTypes
import LindenServices

/// The class of a request for the limits, determined by its route.
struct CallClass: Equatable {
    /// The limited call; nil for health checks, which are not limited.
    let call: LimitedCall?
    /// Whether the call adds to the database, and so is refused if free disk space is below the minimum. Visits are exempt, since they add
    /// little.
    let writes: Bool
    /// Whether the call may be an operator's, whose changes are recorded in the audit log. The most frequent calls of SDKs never are.
    let mayBeOperators: Bool

    /// - Parameter endpoint: the route's path with parameters in braces; nil for a path without a route.
    init(_ method: HTTPRequest.Method, _ endpoint: String?) {
        let endpoint = endpoint ?? ""
        call = Self.call(method, endpoint)
        mayBeOperators =
            switch call {
            case nil, .visit, .session, .event, .qrCode: false
            case .createLink: endpoint.hasPrefix("/api/")
            default: method != .get && method != .head
            }
        writes = method != .get && method != .head && call != nil && !Self.readsByPost.contains(endpoint)
    }

    private static func call(_ method: HTTPRequest.Method, _ endpoint: String) -> LimitedCall? {
        switch endpoint {
        case "/healthz", "/readyz": nil
        case "/v1/url" where method == .post, "/api/v1/links" where method == .post, "/v1/url/bulk/{branch_key}",
            "/api/v1/links/import":
            .createLink
        case "/api/v1/links/{link_id}/qr": .qrCode
        case "/v1/url", "/api/v1/links", "/api/v1/links/{link_id}", "/api/v1/links/{link_id}/clicks",
            "/api/v1/links/{link_id}/statistics":
            method == .get ? .readLink : .changeLink
        case "/v1/install", "/v1/open": .session
        case "/v1/event", "/v1/pageview", "/v1/dismiss", "/v1/register-view", "/v1/content-events", "/v2/event/standard",
            "/v2/event/custom":
            .event
        case "/v1/qr-code", "/v2/qr-code": .qrCode
        case "/v1/query/analytics", "/api/v1/doctor", "/api/v1/content": .query
        case "/api/v1/preview": .readLink
        case "/v1/app/{branch_key}" where method == .put: .changeApp
        case let path where changesApps(path) && method != .get: .changeApp
        case let path where path.hasPrefix("/api/v1/analytics/"): .query
        case let path where path.hasPrefix("/v") || path.hasPrefix("/api/"): .call
        case "/c/{click_id}" where method == .post, "/c/{click_id}/device" where method == .post: .call
        case "/_strong_match", "/_r", "/mcp", "/dashboard", "/dashboard/**": .call
        default: method == .get || method == .head ? .visit : .call
        }
    }

    private static func changesApps(_ endpoint: String) -> Bool {
        ["/api/v1/apps/{app}", "/api/v1/domains", "/api/v1/routes"].contains { endpoint.hasPrefix($0) }
    }

    /// Routes of POST that only read, or that free space.
    private static let readsByPost: Set<String> = [
        "/mcp", "/v1/cpid", "/v1/cpid/latd", "/v1/deepview", "/v1/credithistory", "/v1/referralcode/{code}", "/v1/query/analytics",
        "/v2/data/ready", "/v3/export", "/v1/gdpr", "/v1/gdpr/status",
    ]
}
