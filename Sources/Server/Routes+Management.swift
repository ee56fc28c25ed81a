import Hummingbird
import Linden
import LindenReporting
import LindenServices

/// The table of the routes of the management API, which access tokens authorize.
extension Routes {
    /// - Parameters:
    ///   - codes: draws the QR codes of all routes, so that they share its limits.
    ///   - answers: the memory for the answers of all analytics routes.
    func addManagement(to router: Router<LindenContext>, codes: QRCodeRoutes, answers: AnswerBudget) {
        let apps = AppManagementRoutes(apps: services.apps, tokens: services.tokens)
        router.get("/api/v1/apps", use: apps.list)

        let links = LinkManagementRoutes(
            apps: services.apps, directory: services.directory, links: services.links, linkLists: services.linkLists,
            clickLists: services.clickLists, statistics: services.statistics, codes: codes, tokens: services.tokens,
            unroutedLinks: services.unroutedLinks, publicIDs: services.publicIDs, privacy: services.addresses.privacy,
            clock: services.clock, options: options)
        router.get("/api/v1/links", use: links.list)
        router.post("/api/v1/links", use: links.create)
        router.get("/api/v1/links/:link_id", use: links.read)
        router.patch("/api/v1/links/:link_id", use: links.change)
        router.delete("/api/v1/links/:link_id", use: links.delete)
        router.get("/api/v1/links/:link_id/statistics", use: links.readStatistics)
        router.get("/api/v1/links/:link_id/clicks", use: links.listClicks)
        router.get("/api/v1/links/:link_id/qr", use: links.drawCode)

        let clicks = ClickManagementRoutes(
            apps: services.apps, clickLists: services.clickLists, tokens: services.tokens, publicIDs: services.publicIDs,
            clock: services.clock)
        router.get("/api/v1/clicks", use: clicks.list)

        let sessions = SessionManagementRoutes(
            apps: services.apps, explanations: services.explanations, tokens: services.tokens, publicIDs: services.publicIDs,
            baseURL: services.baseURL)
        router.get("/api/v1/sessions", use: sessions.list)
        router.get("/api/v1/sessions/:session_id", use: sessions.read)
        router.get("/api/v1/sessions/:session_id/explanation", use: sessions.explain)

        let analytics = AnalyticsRoutes(
            apps: services.apps, analytics: services.analytics, tokens: services.tokens, answers: answers)
        for question in AnalyticsQuestion.allCases {
            router.get(RouterPath("/api/v1/analytics/" + question.rawValue), use: analytics.answer(question))
        }

        let diagnosis = DiagnosisRoutes(
            apps: services.apps, links: services.links, clicks: services.clicks, diagnosis: services.diagnosis,
            tokens: services.tokens)
        router.get("/api/v1/doctor", use: diagnosis.checkApp)
        router.get("/api/v1/preview", use: diagnosis.previewLink)
    }

    /// Adds the MCP server, whose tools are routes of the management API.
    func addMCP(to router: Router<LindenContext>, codes: QRCodeRoutes, answers: AnswerBudget) {
        let management = Router(context: LindenContext.self)
        management.add(middleware: FailureMiddleware())
        management.add(middleware: AdmissionMiddleware(limiter: services.limiter, disk: services.disk, options: options))
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
