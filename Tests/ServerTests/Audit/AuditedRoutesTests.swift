import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Every route by which an operator changes something leaves an entry in the audit log. The table of routes is that of the authorization
/// tests, which has every route.
@Suite struct AuditedRoutesTests {
    /// Routes of POST and DELETE that change nothing. `/mcp` lists apps there; its other tools are routes of their own.
    private static let reading: Set<String> = [
        "POST /mcp", "DELETE /mcp", "POST /v1/query/analytics", "POST /v2/data/ready", "POST /v3/export", "POST /v1/gdpr/status",
    ]
    /// Calls of the app's own server, which the ledger records.
    private static let ofServers: Set<String> = ["POST /v1/credits", "POST /v1/reconcile", "POST /v1/referralcode"]
    /// Routes whose call in the table meets nothing to change. They are called in ``whatTheTableCannotShowIsRecordedToo()``.
    private static let withoutObject: Set<String> = [
        "DELETE /api/v1/apps/{app}/keys/{key}", "POST /api/v1/rewards/held/decisions", "PUT /api/v1/domains/{domain}/apps/{app}",
        "DELETE /api/v1/domains/{domain}/apps/{app}",
    ]

    /// The calls of operators by their route: those that no caller may make with a public key alone.
    private static let routes: [(route: String, calls: [RouteAccess])] = {
        let writing = RouteAccess.all.filter { !$0.route.hasPrefix("GET ") && !$0.route.hasPrefix("HEAD ") }
        let open = Set(writing.filter { $0.allowed.contains(.liveKey) || $0.allowed.contains(.stranger) }.map(\.route))
        return Dictionary(grouping: writing.filter { !open.contains($0.route) }, by: \.route).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }()

    @Test(arguments: routes.map(\.route))
    func everyWritingRouteLeavesAnEntry(route: String) async throws {
        try await Exchange.run { exchange in
            let orchard = try await AuthorizedApp(exchange)
            let token = try await exchange.services.tokens.create(name: "all apps", role: .admin, app: nil).secret
            let before = try await exchange.auditEntries().count

            for call in Self.routes.first(where: { $0.route == route })?.calls ?? [] {
                let answer =
                    call.allowed.isEmpty
                    ? try await call.answer(toToken: token, orchard)
                    : try await call.answer(to: call.allowed.contains(.admin) ? .admin : .liveSecret, orchard)
                let isRefused = route == "DELETE /mcp" || Self.withoutObject.contains(route)
                if !isRefused { #expect((200..<400).contains(answer.status), "\(answer.status) \(answer.body)") }
            }

            let entries = try await exchange.auditEntries().dropFirst(before)
            if Self.reading.contains(route) || Self.ofServers.contains(route) || Self.withoutObject.contains(route) {
                #expect(entries.isEmpty, "\(entries.map(\.action))")
            } else {
                #expect(!entries.isEmpty)
                #expect(entries.allSatisfy { $0.action == route }, "\(entries.map(\.action))")
            }
            #expect(try await exchange.auditProblems() == [])
        }
    }

    @Test func whatTheTableCannotShowIsRecordedToo() async throws {
        try await Exchange.run { exchange in
            let orchard = try await AuthorizedApp(exchange)
            let token = try await exchange.token()
            let app = orchard.app.app.id
            let other = try await exchange.installation.createApp("Meadow").app.id
            let host = "/api/v1/domains/\(AuthorizedApp.domain)/apps/\(other)"
            let key = orchard.key
            for (method, path) in [
                (.post, "/api/v1/apps/\(app)/keys"), (.delete, "/api/v1/apps/\(app)/keys/\(key)"), (.put, host), (.delete, host),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await exchange.manage(method, path, token: token, method == .post ? [:] : nil)
                #expect(answer.status == 200, "\(path) \(answer.body)")
            }

            let entries = try await exchange.auditEntries().filter {
                $0.actorKind == .token && $0.details.members["actor"] == "test"
            }
            #expect(
                entries.map { "\($0.subject.noun) \($0.subject.change)" } == [
                    "key changed", "key created", "key changed", "associated_app created", "associated_app deleted",
                ])
            #expect(entries[2].subject.id == key)
        }
    }

    @Test func whatVisitorsAndSDKsDoIsNotRecorded() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let link = try await exchange.createLink(
                app.live.key.branchKey, ["branch_secret": .string(app.live.secret), "channel": "mail"])
            _ = try await exchange.get(link)
            _ = try await exchange.install(app.live.key.branchKey, ["identity": "ann"])
            _ = try await exchange.post("/v1/event", ["branch_key": .string(app.live.key.branchKey), "event": "picked"])
            #expect(try await exchange.auditEntries().isEmpty)
        }
    }
}
