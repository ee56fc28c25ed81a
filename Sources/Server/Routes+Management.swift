import Hummingbird
import Linden
import LindenServices

/// The table of the routes of the management API, which access tokens authorize.
extension Routes {
    /// - Parameter codes: draws the QR codes of all routes, so that they share its limits.
    func addManagement(to router: Router<LindenContext>, codes: QRCodeRoutes) {
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
    }
}
