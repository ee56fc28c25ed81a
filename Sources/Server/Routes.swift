import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The table of all routes. Specific paths come before the catch-all, which takes every path that may be a link.
///
/// It is the only part of the server that reads ``Services``: each group of routes is given the services that it uses.
struct Routes {
    let services: Services
    let options: ServerOptions
    /// The routes of links' own addresses, which also answer visits ahead of the router.
    let clicks: ClickRoutes
    let streams: EventStreams
    /// Shared by the API and the dashboard, because their requests hold the same memory.
    private let turns: ClientTurnsMiddleware
    private let bodies: BodyBudgetMiddleware
    private let largeAnswers = AnswerBudgetMiddleware(answers: AnswerBudget(of: "Large answers"))
    /// One for exports, files of links and the dashboard, because an app's downloads take the same threads.
    let downloads: DownloadLimiter

    init(services: Services, options: ServerOptions) {
        self.services = services
        self.options = options
        turns = ClientTurnsMiddleware(limiter: services.limiter)
        bodies = BodyBudgetMiddleware(options: options)
        downloads = DownloadLimiter(perApp: services.exports.limits.downloads)
        streams = EventStreams(exports: services.exports, open: options.metrics.streams)
        clicks = ClickRoutes(
            directory: services.directory, clicks: services.clicks,
            pages: ClickPages(links: services.links, textMessages: services.textMessages, baseURL: services.baseURL),
            inspections: InspectionPages(
                links: services.links, clicks: services.clicks, tokens: services.tokens, baseURL: services.baseURL),
            absentLinks: AbsentLinkPages(directory: services.directory, domains: services.domains),
            proxyFaults: services.proxyFaults, textMessages: services.textMessages, events: services.events,
            publicIDs: services.publicIDs, baseURL: services.baseURL, limiter: services.limiter, options: options)
    }

    /// Returns the responder in front of a router of these routes.
    func responder() -> LindenResponder {
        LindenResponder(
            router: router().buildResponder(),
            dashboard: options.dashboard.isEnabled
                ? DashboardRoutes(
                    services: services, options: options, streams: streams, downloads: downloads, turns: turns, bodies: bodies,
                    answers: largeAnswers)
                : nil,
            proxyFaults: services.proxyFaults, limiter: services.limiter, options: options, baseURL: services.baseURL,
            recorder: RequestRecorder(options))
    }

    /// Returns the table of all routes, with their middleware.
    func router() -> RouteTable {
        let router = RouteTable()
        router.add(middleware: FailureMiddleware())
        router.add(middleware: AdmissionMiddleware(limiter: services.limiter, disk: services.disk))
        router.add(middleware: turns)
        // Behind the turns, so that a body holds the memory of its parsing only in its turn.
        router.add(middleware: bodies)
        router.add(middleware: largeAnswers)
        router.add(middleware: AddressSecretsMiddleware())
        add(to: router)
        return router
    }

    private func add(to router: RouteTable) {
        let links = LinkRoutes(
            directory: services.directory, links: services.links, unroutedLinks: services.unroutedLinks,
            tokens: services.tokens, publicIDs: services.publicIDs, options: options)
        router.post("/v1/url", use: links.create)
        router.get("/v1/url", use: links.read)
        router.put("/v1/url", use: links.update)
        router.delete("/v1/url", use: links.delete)
        router.post("/v1/url/bulk/:branch_key", use: links.createInBulk)

        let sessions = SessionRoutes(
            directory: services.directory, sessions: services.sessions, publicIDs: services.publicIDs,
            baseURL: services.baseURL, options: options)
        router.post("/v1/install", use: sessions.install)
        router.post("/v1/open", use: sessions.open)
        router.post("/v1/close", use: sessions.close)

        let identities = IdentityRoutes(
            directory: services.directory, identities: services.identities, publicIDs: services.publicIDs,
            baseURL: services.baseURL, options: options)
        router.post("/v1/profile", use: identities.profile)
        router.post("/v1/logout", use: identities.logout)

        let browsers = BrowserRoutes(
            directory: services.directory, browsers: services.browsers, publicIDs: services.publicIDs,
            baseURL: services.baseURL, options: options)
        router.get("/_r", use: browsers.number)
        router.get("/_strong_match", use: browsers.strongMatch)
        router.get("/v1/has-app/:branch_key", use: browsers.hasApp)

        let attribution = AttributionRoutes(
            directory: services.directory, identities: services.identities, lastTouches: services.lastTouches,
            credits: services.credits, publicIDs: services.publicIDs, options: options)
        router.post("/v1/cpid", use: attribution.crossPlatformID)
        router.post("/v1/cpid/latd", use: attribution.lastTouch)
        router.get("/v1/referrals/:identity_id", use: attribution.referrals)

        let deepviews = DeepviewRoutes(
            directory: services.directory, links: services.links, baseURL: services.baseURL, clock: services.clock,
            options: options)
        router.get("/v1/deepview", use: deepviews.deepview)
        router.post("/v1/deepview", use: deepviews.deepview)

        let codes = QRCodeRoutes(
            directory: services.directory, links: services.links, publicIDs: services.publicIDs, baseURL: services.baseURL,
            limiter: services.limiter, options: options)
        router.post("/v1/qr-code", use: codes.draw)
        router.post("/v2/qr-code", use: codes.draw)

        let callers = CreditCallers(
            directory: services.directory, credits: services.credits, publicIDs: services.publicIDs)
        let credits = CreditRoutes(
            callers: callers, directory: services.directory, credits: services.credits, rewards: services.rewards,
            publicIDs: services.publicIDs, options: options)
        router.get("/v1/credits", use: credits.balance)
        router.post("/v1/credits", use: credits.grant)
        router.get("/v1/credits/:identity_id", use: credits.balanceByToken)
        router.get("/v1/credithistory", use: credits.history)
        router.post("/v1/credithistory", use: credits.history)
        router.post("/v1/redeem", use: credits.redeem)
        router.post("/v1/reconcile", use: credits.reconcile)
        router.post("/v1/eventresponse", use: credits.eventResponse)

        let referralCodes = ReferralCodeRoutes(callers: callers, referralCodes: services.referralCodes, options: options)
        router.post("/v1/referralcode", use: referralCodes.make)
        router.post("/v1/referralcode/:code", use: referralCodes.check)
        router.post("/v1/applycode/:code", use: referralCodes.apply)

        let events = EventRoutes(
            directory: services.directory, events: services.events, publicIDs: services.publicIDs, options: options)
        router.post("/v1/event", use: events.record("v1/event"))
        router.post("/v1/pageview", use: events.record("v1/pageview", name: "pageview"))
        router.post("/v1/dismiss", use: events.record("v1/dismiss", name: "dismiss"))
        router.post("/v1/register-view", use: events.record("v1/register-view", name: "register-view"))
        router.post("/v1/content-events", use: events.record("v1/content-events", name: "content-events"))
        for kind in ["standard", "custom"] {
            let endpoint = "v2/event/" + kind
            router.post("/\(endpoint)", use: events.record(endpoint, answer: ["branch_view_enabled": false]))
        }

        let answers = AnswerBudget()
        addManagement(to: router, codes: codes, answers: answers)
        addMCP(to: router, codes: codes, answers: answers)

        let questions = QueryAnalyticsRoutes(
            directory: services.directory, analytics: services.analytics, tokens: services.tokens, baseURL: services.baseURL,
            options: options, answers: answers)
        router.post("/v1/query/analytics", use: questions.query)
        router.post("/v2/data/ready", use: questions.dataReady)

        let reports = ReportRoutes(
            directory: services.directory, analytics: services.analytics, reports: services.reports, tokens: services.tokens,
            baseURL: services.baseURL, options: options, answers: answers)
        router.post("/v2/analytics", use: reports.orderAggregate)
        router.get("/v2/analytics/:job_id", use: reports.status)
        router.post("/v1/branch_aggregate/async/analytics", use: reports.orderCrossEvents)
        router.get("/v1/branch_aggregate/async/status/:job_id", use: reports.status)
        router.get(RouterPath(BaseURL.reports + ":file"), use: reports.download)

        let apps = AppRoutes(
            apps: services.apps, directory: services.directory, baseURL: services.baseURL, options: options)
        router.get("/v1/app/:branch_key", use: apps.read)
        router.put("/v1/app/:branch_key", use: apps.update)
        router.get("/v1/app-link-settings/:branch_key", use: apps.linkSettings)

        router.get(
            "/api/v1/events/stream",
            use: EventStreamRoutes(
                apps: services.apps, exports: services.exports, tokens: services.tokens, streams: streams
            ).stream)

        let exports = ExportRoutes(
            directory: services.directory, exports: services.exports, subjectRequests: services.subjectRequests,
            tokens: services.tokens, baseURL: services.baseURL, limiter: services.limiter, downloads: downloads, options: options)
        router.post("/v3/export", use: exports.day)
        router.get("/v2/export/:branch_key", use: exports.formerDay)
        router.post("/v2/logs", use: exports.order)
        router.get("/v2/logs/:handle", use: exports.status)
        router.get(RouterPath(BaseURL.exports + ":file"), use: exports.download)

        let subjects = SubjectRequestRoutes(
            directory: services.directory, subjectRequests: services.subjectRequests, tokens: services.tokens,
            baseURL: services.baseURL, options: options)
        router.post("/v1/gdpr", use: subjects.ask)
        router.post("/v1/gdpr/status", use: subjects.status)

        router.get("/openapi.yaml", use: OpenAPIRoutes.document)
        router.head("/openapi.yaml", use: OpenAPIRoutes.document)

        let health = HealthRoutes(disk: services.disk, clock: services.clock, storage: services.storage)
        router.get("/healthz", use: health.live)
        router.head("/healthz", use: health.live)
        router.get("/readyz", use: health.ready)
        router.head("/readyz", use: health.ready)

        let domains = DomainRoutes(domains: services.domains, options: options)
        for path: RouterPath in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
            router.get(path, use: domains.appleAssociation)
            router.head(path, use: domains.appleAssociation)
        }
        router.get("/.well-known/assetlinks.json", use: domains.assetLinks)
        router.head("/.well-known/assetlinks.json", use: domains.assetLinks)

        let certificates = CertificateRoutes(hosts: services.certificateHosts, options: options)
        router.get("/api/v1/certificates/ask", use: certificates.ask)

        let sitemaps = SitemapRoutes(sitemaps: services.sitemaps)
        router.get("/robots.txt", use: sitemaps.robots)
        router.head("/robots.txt", use: sitemaps.robots)
        router.get("/favicon.ico", use: FaviconRoutes.none)
        router.head("/favicon.ico", use: FaviconRoutes.none)
        router.get("/sitemap.xml", use: sitemaps.sitemap)
        router.head("/sitemap.xml", use: sitemaps.sitemap)

        router.get("/sdk/:list", use: apps.skipList)

        router.post("/c/:click_id", use: clicks.textMessage)
        router.post("/c/:click_id/device", use: clicks.device)
        // The catch-all does not match the root, nor paths that have a route of their own for another method.
        for path: RouterPath in ["/", "/c/:click_id", "/c/:click_id/device", "/**"] {
            router.get(path, use: clicks.visit)
            router.head(path, use: clicks.visit)
        }
    }
}
