import Linden
import LindenKernel
import LindenServices
import LindenTesting

/// The management API: an access token of the app, and the role admin for changes.
extension RouteAccess {
    static let management: [RouteAccess] = [
        // A token of the other app lists that app. Its key in the query, which is none of the call's parameters, is refused.
        RouteAccess("GET /api/v1/apps", readers, ownData: [.otherAppsAdmin]),
        RouteAccess("GET /api/v1/doctor", readers, named("/api/v1/doctor")),
        RouteAccess("GET /api/v1/preview", readers, { orchard, _ in "/api/v1/preview?link=\(orchard.linkID)" }),
        RouteAccess("POST /mcp", readers, ownData: [.otherApp, .otherAppsAdmin]) { _ in
            ["jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["name": "list_apps"]]
        },
        RouteAccess("GET /mcp", []), RouteAccess("DELETE /mcp", []),
        RouteAccess("GET /api/v1/links", readers, named("/api/v1/links")),
        RouteAccess("POST /api/v1/links", [.admin], named("/api/v1/links")) { _ in ["channel": "mail"] },
        RouteAccess("GET /api/v1/links/{link_id}", readers, link()),
        RouteAccess("PATCH /api/v1/links/{link_id}", [.admin], link()) { _ in ["channel": "mail"] },
        RouteAccess("DELETE /api/v1/links/{link_id}", [.admin], link()),
        RouteAccess("GET /api/v1/links/{link_id}/statistics", readers, link("/statistics")),
        RouteAccess("GET /api/v1/links/{link_id}/clicks", readers, link("/clicks")),
        RouteAccess("GET /api/v1/links/{link_id}/qr", readers, link("/qr")),
        RouteAccess("GET /api/v1/clicks", readers, named("/api/v1/clicks")),
        RouteAccess("GET /api/v1/sessions", readers, named("/api/v1/sessions")),
        RouteAccess("GET /api/v1/sessions/{session_id}", readers, { orchard, _ in "/api/v1/sessions/" + orchard.session }),
        RouteAccess(
            "GET /api/v1/sessions/{session_id}/explanation", readers,
            { orchard, _ in "/api/v1/sessions/\(orchard.session)/explanation" }),
    ]

    private static let readers: Set<Caller> = [.analyst, .admin]

    private static func named(_ path: String) -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "\(path)?app=\(orchard.app.app.id)" }
    }

    private static func link(_ suffix: String = "") -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "/api/v1/links/\(orchard.linkID)\(suffix)" }
    }
}
