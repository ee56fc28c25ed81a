import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The access tokens of the management API: listed, created and revoked. A token's secret is shown only once.
///
/// A user of one app sees and revokes tokens of that app only, and creates no others.
extension Dashboard {
    private static let tokensShown = 50

    func tokensPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.tokens(app.scope)
        let list = try await services.tokens.list(
            of: app.app.id, includesGeneral: user.app == nil,
            after: Int64(page.query["cursor"]).map(AccessToken.ID.init(rawValue:)),
            limit: Self.tokensShown)
        let tokens = list.tokens
        var blocks: [Block] = page.query["saved"] == "revoked" ? [.success("The token was revoked.")] : []
        blocks.append(.buttons([Button(buttonLabel: "Create a token", buttonHref: path + "/new", isMain: true)]))
        blocks.append(
            tokens.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "No token yet",
                        emptyText:
                            "A token lets a program use the management API, as far as its role and app allow.",
                        emptyHref: path + "/new", emptyAction: "Create the first token"))
                : Block(table: .tokens(tokens, in: path, now: services.clock.now())))
        if let next = list.next {
            blocks.append(Block(pager: Pager(nextHref: PagePath.query(path, [("cursor", String(next.rawValue))]))))
        }
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden tokens list\nlinden tokens create NAME --role analyst --app \(app.key.branchKey)\n"
                        + "linden tokens rotate NAME --overlap 7d\nlinden tokens revoke NAME",
                    call: "GET /api/v1/tokens\nPOST /api/v1/tokens\nPOST /api/v1/tokens/ID/secrets\nDELETE /api/v1/tokens/ID")))
        return PageView("Access tokens", lead: "For programs that use the management API.", blocks).of(app, user, section: path)
            .answer()
    }

    func newTokenPage(_ page: PageRequest) throws -> DashboardAnswer {
        let app = try page.app
        return try formPage(
            page, "Create a token", try Self.form(page, FormFields("role=analyst")), section: PagePath.tokens(app.scope),
            following: [
                Block(
                    equivalents: Equivalents(
                        command: "linden tokens create NAME --role analyst --app \(app.key.branchKey)",
                        call: "POST /api/v1/tokens"))
            ])
    }

    func createToken(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, typed) = (try page.app, try page.user, page.form)
        let path = PagePath.tokens(app.scope)
        do {
            guard let role = Role(rawValue: typed["role"]) else {
                throw Failure.invalid("role is missing: one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            let isOfAllApps = typed["apps"] == "all" && user.app == nil
            let (token, secret) = try await services.tokens.create(
                name: typed["name"], role: role, app: isOfAllApps ? nil : app.app.id,
                expires: typed["expires"].isEmpty ? .never : TokenExpiry(typed["expires"]))
            return PageView(
                "Keep this token", isNarrow: true,
                [
                    .success("The token \(token.name) was created."),
                    .paragraph("Copy it to where it is needed now: it is shown only here. Only a hash of it is stored."),
                    Block(facts: Facts([("Token", .code(secret)), ("Role", Cell(token.role.rawValue))])),
                    .buttons([Button(buttonLabel: "To the tokens", buttonHref: path)]),
                ]
            ).of(app, user, section: path).answer()
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, "Create a token", try Self.form(page, typed), failure, section: path)
        }
    }

    func revokeTokenPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let section = PagePath.tokens(try page.app.scope)
        return try formPage(
            page, "Revoke the token", Confirmation.revocation(of: try await token(page), section).form(), section: section)
    }

    func revokeToken(_ page: PageRequest) async throws -> DashboardAnswer {
        let (token, section) = (try await token(page), PagePath.tokens(try page.app.scope))
        return try await confirmed(page, .revocation(of: token, section), title: "Revoke the token", section: section) {
            try await services.tokens.revoke(token.id)
            return .seeOther(section + "?saved=revoked")
        }
    }

    // MARK: Parts

    /// Returns the valid token that the path names, if it is valid for the app and its user may see it. Fails with `notFound`.
    private func token(_ page: PageRequest) async throws -> AccessToken {
        let (app, user) = (try page.app.app.id, try page.user)
        guard let id = Int64(page.parameter("token")), let token = try await services.tokens.token(AccessToken.ID(rawValue: id)),
            token.revokedAt == nil, token.app == app || token.app == nil && user.app == nil
        else { throw Failure.notFound("There is no such valid token.") }
        return token
    }

    private static func form(_ page: PageRequest, _ typed: FormFields) throws -> Form {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.tokens(app.scope)
        var fields: [Field] = [
            .text(
                "name", "Name", typed["name"], hint: "What the token is for, such as reports.", isRequired: true, hasFocus: true),
            .choice(
                "role", "Role", typed["role"],
                [
                    ("analyst", "analyst: reads"), ("support", "support: looks up links, sessions and users"),
                    ("ingest", "ingest: creates links, grants and redeems credits, reads nothing"),
                    ("editor", "editor: reads, changes links, shares totals"), ("admin", "admin: reads and changes everything"),
                ]),
            .text(
                "expires", "Expires", typed["expires"],
                hint: "After 90d or 12h, or from a date such as 2027-01-31. Empty for never."),
        ]
        if user.app == nil {
            fields.append(.choice("apps", "Valid for", typed["apps"], [("", "\(app.app.name) only"), ("all", "all apps")]))
        }
        return Form(path, submit: "Create the token", cancel: path, fields)
    }
}

extension Table {
    fileprivate static func tokens(_ tokens: [AccessToken], in path: String, now: Timestamp) -> Table {
        Table(
            "Access tokens",
            ["Name", "Role", "Valid for", "Created", "Last used", "Expires", "State", "Revoke"].map { Column(columnLabel: $0) },
            tokens.map { token in
                let isValid = token.revokedAt == nil
                let isExpired = token.expiresAt.map { $0 <= now } ?? false
                let formerEnd = token.formerEndsAt.flatMap { $0 > now ? "the former secret until \($0.iso8601)" : nil }
                return [
                    Cell(token.name, note: "\(token.id)"), Cell(token.role.rawValue),
                    Cell(token.app == nil ? "all apps" : "this app"), .time(token.createdAt.iso8601),
                    token.lastUsedAt.map { .time($0.iso8601) } ?? Cell("never"),
                    token.expiresAt.map { .time($0.iso8601) } ?? Cell("never"),
                    token.revokedAt.map { .time($0.iso8601) } ?? Cell(isExpired ? "expired" : "valid", note: formerEnd),
                    isValid ? Cell("revoke", href: "\(path)/\(token.id)/revoke") : Cell("revoked"),
                ]
            })
    }
}

extension Confirmation {
    fileprivate static func revocation(of token: AccessToken, _ path: String) -> Confirmation {
        Confirmation(
            action: "\(path)/\(token.id)/revoke", submit: "Revoke the token", cancel: path, name: token.name,
            label: "the token's name",
            consequence: "Programs that use it are refused from now on.")
    }
}
