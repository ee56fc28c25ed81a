import Linden
import LindenKernel
import LindenServices
import LindenTesting

/// The management API: an access token of the app, whose role has the permission.
extension RouteAccess {
    static let management: [RouteAccess] = [
        // A token of the other app lists that app. Its key in the query, which is none of the call's parameters, is refused.
        RouteAccess("GET /api/v1/apps", lookers, ownData: [.otherAppsAdmin]),
        RouteAccess("GET /api/v1/apps/{app}", readers, app("")),
        RouteAccess("PATCH /api/v1/apps/{app}", [.admin], app("")) { _ in ["name": "Orchards"] },
        // These need a token of all apps, which none of these callers has.
        RouteAccess("POST /api/v1/apps", []) { _ in ["name": "Meadow"] },
        RouteAccess("DELETE /api/v1/apps/{app}", [], app("")),
        RouteAccess("POST /api/v1/apps/{app}/keys", [.admin], app("/keys")) { _ in ["overlap": "7d"] },
        RouteAccess(
            "DELETE /api/v1/apps/{app}/keys/{key}", [.admin],
            { orchard, _ in
                "/api/v1/apps/\(orchard.app.app.id)/keys/\(orchard.endedKey)"
            }),
        RouteAccess("POST /api/v1/apps/{app}/secrets", [.admin], app("/secrets")) { _ in ["overlap": "7d"] },
        RouteAccess("DELETE /api/v1/apps/{app}/secrets/former", [.admin], app("/secrets/former")),
        RouteAccess("DELETE /api/v1/apps/{app}/signed_urls", [.admin], app("/signed_urls")),
        // The list of settings belongs to no app.
        RouteAccess("GET /api/v1/settings", readers.union([.otherAppsAdmin])),
        RouteAccess("GET /api/v1/audit", [.admin], named("/api/v1/audit")),
        RouteAccess("GET /api/v1/doctor", readers, named("/api/v1/doctor")),
        RouteAccess("GET /api/v1/preview", lookers, { orchard, _ in "/api/v1/preview?link=\(orchard.linkID)" }),
        RouteAccess("POST /mcp", lookers, ownData: [.otherApp, .otherAppsAdmin]) { _ in
            ["jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["name": "list_apps"]]
        },
        RouteAccess("GET /mcp", []), RouteAccess("DELETE /mcp", []),
        RouteAccess("GET /api/v1/domains", readers, named("/api/v1/domains")),
        RouteAccess("POST /api/v1/domains", [.admin], named("/api/v1/domains")) { _ in ["domain": "go.orchard.example"] },
        RouteAccess("PATCH /api/v1/domains/{domain}", [.admin], { _, _ in "/api/v1/domains/\(AuthorizedApp.domain)" }) { _ in
            ["root_url": "https://orchard.example.com/"]
        },
        RouteAccess("DELETE /api/v1/domains/{domain}", [.admin], { _, _ in "/api/v1/domains/\(AuthorizedApp.domain)" }),
        // These need a token of all apps, which none of these callers has.
        RouteAccess("PUT /api/v1/domains/{domain}/apps/{app}", [], association),
        RouteAccess("DELETE /api/v1/domains/{domain}/apps/{app}", [], association),
        RouteAccess("GET /api/v1/tokens", readers, ownData: [.otherAppsAdmin]),
        RouteAccess("POST /api/v1/tokens", [.admin], ownData: [.otherAppsAdmin]) { _ in ["name": "x", "role": "admin"] },
        RouteAccess("DELETE /api/v1/tokens/{token_id}", [.admin], { orchard, _ in "/api/v1/tokens/\(orchard.spareToken)" }),
        RouteAccess(
            "POST /api/v1/tokens/{token_id}/secrets", [.admin], { orchard, _ in "/api/v1/tokens/\(orchard.spareToken)/secrets" }
        ) { _ in
            ["overlap": "0"]
        },
        // Users of the dashboard belong to the installation: these need a token of all apps, which none of these callers has.
        RouteAccess("GET /api/v1/users", []),
        RouteAccess("POST /api/v1/users", []) { _ in ["name": "ben@orchard.example", "role": "analyst"] },
        RouteAccess("PATCH /api/v1/users/{user_id}", [], { orchard, _ in "/api/v1/users/\(orchard.dashboardUser)" }) { _ in
            ["disabled": true]
        },
        RouteAccess("POST /api/v1/users/{user_id}/resets", [], { orchard, _ in "/api/v1/users/\(orchard.dashboardUser)/resets" }) {
            _ in
            [:]
        },
        RouteAccess("GET /api/v1/exports", readers, named("/api/v1/exports")),
        RouteAccess("POST /api/v1/exports", readers, named("/api/v1/exports")) { _ in
            ["report_type": "eo_click", "start_date": "yesterday", "end_date": "yesterday"]
        },
        RouteAccess("GET /api/v1/shares", readers, named("/api/v1/shares")),
        RouteAccess("POST /api/v1/shares", editors, named("/api/v1/shares")) { _ in
            ["title": "Best channels", "query": "question=top&by=channel"]
        },
        RouteAccess(
            "DELETE /api/v1/shares/{share_id}", editors,
            { orchard, _ in "/api/v1/shares/\(orchard.share)?app=\(orchard.app.app.id)" }, actsOnce: true),
        RouteAccess("GET /api/v1/routes", readers, named("/api/v1/routes")),
        RouteAccess("GET /api/v1/routes/match", readers, named("/api/v1/routes/match", "&url=orchard://pears/7")),
        RouteAccess("POST /api/v1/routes", [.admin], named("/api/v1/routes")) { _ in
            ["syntax": "waapp", "pattern": "apples/:id", "target": "Apple"]
        },
        RouteAccess("PATCH /api/v1/routes/{route_id}", [.admin], named("/api/v1/routes/pear")) { _ in ["enabled": false] },
        RouteAccess("DELETE /api/v1/routes/{route_id}", [.admin], named("/api/v1/routes/pear")),
        // The rates belong to no app.
        RouteAccess("GET /api/v1/rates", readers.union([.otherAppsAdmin])),
        // Needs a token of all apps, which none of these callers has.
        RouteAccess("POST /api/v1/rates", []) { _ in ["rates": ["EUR": "0.92"]] },
        RouteAccess("GET /api/v1/identities/{identity}", lookers, named("/api/v1/identities/ann")),
        RouteAccess("GET /api/v1/credits", lookers, named("/api/v1/credits", "&identity=ann")),
        RouteAccess("GET /api/v1/credits/history", lookers, named("/api/v1/credits/history", "&identity=ann")),
        RouteAccess("POST /api/v1/credits/grants", creditMovers, named("/api/v1/credits/grants")) { _ in
            ["identity": "ann", "amount": 5]
        },
        RouteAccess("POST /api/v1/credits/redemptions", creditMovers, named("/api/v1/credits/redemptions")) { _ in
            ["identity": "ann", "amount": 5]
        },
        RouteAccess("POST /api/v1/credits/reversals", [.admin], named("/api/v1/credits/reversals")) {
            ["transaction": .integer($0.transaction.rawValue)]
        },
        RouteAccess("GET /api/v1/rewards", lookers, named("/api/v1/rewards")),
        RouteAccess("POST /api/v1/rewards", [.admin], named("/api/v1/rewards")) { _ in
            ["event": "picked", "reward": "actor", "amount": 5]
        },
        RouteAccess("PATCH /api/v1/rewards/{rule_id}", [.admin], rule) { _ in ["paused": true] },
        RouteAccess("DELETE /api/v1/rewards/{rule_id}", [.admin], rule),
        RouteAccess("GET /api/v1/rewards/held", lookers, named("/api/v1/rewards/held")),
        RouteAccess("POST /api/v1/rewards/held/decisions", [.admin], named("/api/v1/rewards/held/decisions")) { _ in
            ["decision": "refuse", "all": true]
        },
        RouteAccess("GET /api/v1/links", lookers, named("/api/v1/links")),
        RouteAccess("POST /api/v1/links", linkCreators, named("/api/v1/links")) { _ in ["channel": "mail"] },
        RouteAccess("PATCH /api/v1/links", editors, named("/api/v1/links")) { orchard in
            ["links": [.string("\(orchard.linkID)")], "change": ["channel": "mail"]]
        },
        RouteAccess("GET /api/v1/links/folders", lookers, named("/api/v1/links/folders")),
        RouteAccess("GET /api/v1/links/templates", lookers, named("/api/v1/links/templates")),
        RouteAccess("POST /api/v1/links/templates", editors, named("/api/v1/links/templates")) { _ in
            ["name": "poster", "channel": "poster"]
        },
        RouteAccess(
            "DELETE /api/v1/links/templates", editors, named("/api/v1/links/templates", "&name=newsletter"), actsOnce: true),
        RouteAccess("GET /api/v1/links/export", lookers, named("/api/v1/links/export")),
        RouteAccess("POST /api/v1/links/import", linkCreators, named("/api/v1/links/import"), text: "alias\nquinces"),
        RouteAccess("GET /api/v1/links/{link_id}", lookers, link()),
        RouteAccess("PATCH /api/v1/links/{link_id}", editors, link()) { _ in ["channel": "mail"] },
        RouteAccess("DELETE /api/v1/links/{link_id}", editors, link(), actsOnce: true),
        RouteAccess("GET /api/v1/links/{link_id}/statistics", readers, link("/statistics")),
        RouteAccess("GET /api/v1/links/{link_id}/clicks", lookers, link("/clicks")),
        RouteAccess("GET /api/v1/links/{link_id}/qr", lookers, link("/qr")),
        RouteAccess("GET /api/v1/clicks", lookers, named("/api/v1/clicks")),
        RouteAccess("GET /api/v1/content", readers, named("/api/v1/content")),
        RouteAccess("GET /api/v1/content/object", readers, named("/api/v1/content/object", "&identifier=crate/cox")),
        RouteAccess("GET /api/v1/sessions", lookers, named("/api/v1/sessions")),
        RouteAccess("GET /api/v1/sessions/{session_id}", lookers, { orchard, _ in "/api/v1/sessions/" + orchard.session }),
        RouteAccess(
            "GET /api/v1/sessions/{session_id}/explanation", lookers,
            { orchard, _ in "/api/v1/sessions/\(orchard.session)/explanation" }),
    ]

    private static let readers: Set<Caller> = [.analyst, .editor, .admin]
    /// Those who look up links, sessions and credits.
    private static let lookers: Set<Caller> = readers.union([.support])
    private static let editors: Set<Caller> = [.editor, .admin]
    /// Servers that send what happens, besides those who may do the same by hand.
    private static let linkCreators: Set<Caller> = editors.union([.ingest])
    private static let creditMovers: Set<Caller> = [.ingest, .admin]

    private static func app(_ suffix: String) -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "/api/v1/apps/\(orchard.app.app.id)\(suffix)" }
    }

    private static let association: @Sendable (AuthorizedApp, String) -> String = { orchard, _ in
        "/api/v1/domains/\(AuthorizedApp.domain)/apps/\(orchard.app.app.id)"
    }

    private static let rule: @Sendable (AuthorizedApp, String) -> String = { orchard, _ in
        "/api/v1/rewards/\(orchard.rule)?app=\(orchard.app.app.id)"
    }

    private static func named(_ path: String, _ query: String = "") -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "\(path)?app=\(orchard.app.app.id)\(query)" }
    }

    private static func link(_ suffix: String = "") -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "/api/v1/links/\(orchard.linkID)\(suffix)" }
    }
}
