import Hummingbird
import Linden
import LindenReporting
import LindenServices

/// The table of the routes of the management API, which access tokens authorize.
extension Routes {
    /// - Parameters:
    ///   - codes: draws the QR codes of all routes, so that they share its limits.
    ///   - answers: the memory for the answers of all analytics routes.
    func addManagement(to router: RouteTable, codes: QRCodeRoutes, answers: AnswerBudget) {
        addSetup(to: router)
        addLedger(to: router)

        let audit = AuditManagementRoutes(
            audit: services.audit, apps: services.apps, tokens: services.tokens, publicIDs: services.publicIDs,
            clock: services.clock)
        router.get("/api/v1/audit", use: audit.list)

        let links = LinkManagementRoutes(
            authorizer: authorizer, directory: services.directory, links: services.links, linkLists: services.linkLists,
            clickLists: services.clickLists, statistics: services.statistics, templates: services.linkTemplates, codes: codes,
            unroutedLinks: services.unroutedLinks,
            publicIDs: services.publicIDs, privacy: services.addresses.privacy, clock: services.clock, options: options)
        router.get("/api/v1/links", use: links.list)
        router.post("/api/v1/links", use: links.create)
        router.patch(
            "/api/v1/links", use: LinkBulkRoutes(authorizer: authorizer, links: services.links, options: options).change)
        let files = LinkFileRoutes(
            authorizer: authorizer, directory: services.directory, links: services.links, linkLists: services.linkLists,
            publicIDs: services.publicIDs, limiter: services.limiter,
            downloads: downloads, clock: services.clock)
        router.get("/api/v1/links/folders", use: links.listFolders)
        let templates = LinkTemplateRoutes(authorizer: authorizer, templates: services.linkTemplates, options: options)
        router.get("/api/v1/links/templates", use: templates.list)
        router.post("/api/v1/links/templates", use: templates.save)
        router.delete("/api/v1/links/templates", use: templates.delete)
        router.get("/api/v1/links/export", use: files.export)
        router.post("/api/v1/links/import", use: files.import)
        router.get("/api/v1/links/:link_id", use: links.read)
        router.patch("/api/v1/links/:link_id", use: links.change)
        router.delete("/api/v1/links/:link_id", use: links.delete)
        router.get("/api/v1/links/:link_id/statistics", use: links.readStatistics)
        router.get("/api/v1/links/:link_id/clicks", use: links.listClicks)
        router.get("/api/v1/links/:link_id/qr", use: links.drawCode)

        let clicks = ClickManagementRoutes(
            authorizer: authorizer, clickLists: services.clickLists, publicIDs: services.publicIDs, clock: services.clock)
        router.get("/api/v1/clicks", use: clicks.list)

        let content = ContentManagementRoutes(authorizer: authorizer, objects: services.objects, clock: services.clock)
        router.get("/api/v1/content", use: content.list)
        router.get("/api/v1/content/object", use: content.read)

        let sessions = SessionManagementRoutes(
            authorizer: authorizer, explanations: services.explanations, publicIDs: services.publicIDs, baseURL: services.baseURL,
            clock: services.clock)
        router.get("/api/v1/sessions", use: sessions.list)
        router.get("/api/v1/sessions/:session_id", use: sessions.read)
        router.get("/api/v1/sessions/:session_id/explanation", use: sessions.explain)

        let analytics = AnalyticsRoutes(authorizer: authorizer, analytics: services.analytics, answers: answers)
        for question in AnalyticsQuestion.allCases {
            router.get(RouterPath("/api/v1/analytics/" + question.rawValue), use: analytics.answer(question))
        }

        let shares = ShareManagementRoutes(
            authorizer: authorizer, sharedQuestions: services.sharedQuestions, baseURL: services.baseURL, options: options)
        router.get("/api/v1/shares", use: shares.list)
        router.post("/api/v1/shares", use: shares.create)
        router.delete("/api/v1/shares/:share_id", use: shares.revoke)

        let exports = ExportManagementRoutes(
            authorizer: authorizer, exports: services.exports, baseURL: services.baseURL, options: options)
        router.get("/api/v1/exports", use: exports.list)
        router.post("/api/v1/exports", use: exports.order)

        let diagnosis = DiagnosisRoutes(
            authorizer: authorizer, links: services.links, clicks: services.clicks, diagnosis: services.diagnosis)
        router.get("/api/v1/doctor", use: diagnosis.checkApp)
        router.get("/api/v1/preview", use: diagnosis.previewLink)
    }

    private var authorizer: AppAuthorizer { AppAuthorizer(apps: services.apps, tokens: services.tokens) }

    /// Adds the calls about the set-up of apps.
    private func addSetup(to router: RouteTable) {
        let apps = AppManagementRoutes(
            apps: services.apps, tokens: services.tokens, baseURL: services.baseURL, options: options)
        router.get("/api/v1/apps", use: apps.list)
        router.post("/api/v1/apps", use: apps.create)
        router.get("/api/v1/apps/:app", use: apps.read)
        router.patch("/api/v1/apps/:app", use: apps.change)
        router.delete("/api/v1/apps/:app", use: apps.delete)
        router.get("/api/v1/settings", use: apps.listSettings)

        let keys = AppKeyManagementRoutes(
            authorizer: PathAppAuthorizer(apps: services.apps, tokens: services.tokens), keys: services.keyRotation,
            options: options)
        router.post("/api/v1/apps/:app/keys", use: keys.rotateKey)
        router.delete("/api/v1/apps/:app/keys/:key", use: keys.endKey)
        router.post("/api/v1/apps/:app/secrets", use: keys.rotateSecret)
        router.delete("/api/v1/apps/:app/secrets/former", use: keys.endFormerSecrets)
        router.delete("/api/v1/apps/:app/signed_urls", use: keys.revokeSignedURLs)

        let domains = DomainManagementRoutes(
            authorizer: authorizer, domains: services.domains, baseURL: services.baseURL, options: options)
        router.get("/api/v1/domains", use: domains.list)
        router.post("/api/v1/domains", use: domains.add)
        router.patch("/api/v1/domains/:domain", use: domains.change)
        router.delete("/api/v1/domains/:domain", use: domains.remove)
        router.put("/api/v1/domains/:domain/apps/:app", use: domains.associate)
        router.delete("/api/v1/domains/:domain/apps/:app", use: domains.dissociate)

        let tokens = TokenManagementRoutes(apps: services.apps, tokens: services.tokens, options: options)
        router.get("/api/v1/tokens", use: tokens.list)
        router.post("/api/v1/tokens", use: tokens.create)
        router.post("/api/v1/tokens/:token_id/secrets", use: tokens.rotate)
        router.delete("/api/v1/tokens/:token_id", use: tokens.revoke)

        let users = UserManagementRoutes(
            users: services.dashboardUsers, apps: services.apps, tokens: services.tokens, baseURL: services.baseURL,
            options: options)
        router.get("/api/v1/users", use: users.list)
        router.post("/api/v1/users", use: users.create)
        router.patch("/api/v1/users/:user_id", use: users.change)
        router.post("/api/v1/users/:user_id/resets", use: users.reset)

        let routes = RouteManagementRoutes(authorizer: authorizer, routes: services.routes, options: options)
        router.get("/api/v1/routes", use: routes.list)
        router.get("/api/v1/routes/match", use: routes.match)
        router.post("/api/v1/routes", use: routes.add)
        router.patch("/api/v1/routes/:route_id", use: routes.change)
        router.delete("/api/v1/routes/:route_id", use: routes.remove)

        let rates = RateManagementRoutes(rates: services.rates, tokens: services.tokens, options: options)
        router.get("/api/v1/rates", use: rates.list)
        router.post("/api/v1/rates", use: rates.load)
    }

    /// Adds the calls about users and their credits.
    private func addLedger(to router: RouteTable) {
        let identities = IdentityManagementRoutes(
            authorizer: authorizer, identities: services.people, publicIDs: services.publicIDs)
        router.get("/api/v1/identities/:identity", use: identities.read)

        let credits = CreditManagementRoutes(
            authorizer: authorizer, credits: services.credits, publicIDs: services.publicIDs, options: options)
        router.get("/api/v1/credits", use: credits.balances)
        router.get("/api/v1/credits/history", use: credits.history)
        router.post("/api/v1/credits/grants", use: credits.grant)
        router.post("/api/v1/credits/redemptions", use: credits.redeem)
        router.post("/api/v1/credits/reversals", use: credits.reverse)

        let rewards = RewardManagementRoutes(authorizer: authorizer, rewards: services.rewards, options: options)
        router.get("/api/v1/rewards", use: rewards.list)
        router.post("/api/v1/rewards", use: rewards.add)
        router.patch("/api/v1/rewards/:rule_id", use: rewards.change)
        router.delete("/api/v1/rewards/:rule_id", use: rewards.remove)

        let held = HeldRewardManagementRoutes(
            authorizer: authorizer, heldRewards: services.heldRewards, publicIDs: services.publicIDs,
            clock: services.clock, options: options)
        router.get("/api/v1/rewards/held", use: held.list)
        router.post("/api/v1/rewards/held/decisions", use: held.decide)
    }

    /// Adds the MCP server, whose tools are routes of the management API.
    func addMCP(to router: RouteTable, codes: QRCodeRoutes, answers: AnswerBudget) {
        let management = RouteTable()
        management.add(middleware: FailureMiddleware())
        management.add(
            middleware: AdmissionMiddleware(limiter: services.limiter, disk: services.disk, interface: .mcp))
        addManagement(to: management, codes: codes, answers: answers)
        let responder = management.buildResponder()
        let mcp = MCPRoutes(tokens: services.tokens, baseURL: services.baseURL, options: options) { request, context in
            try await responder.respond(to: request, context: context)
        }
        router.post("/mcp", use: mcp.post)
        router.get("/mcp", use: mcp.refuse)
        router.delete("/mcp", use: mcp.refuse)
    }
}
