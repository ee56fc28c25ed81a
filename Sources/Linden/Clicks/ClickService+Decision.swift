import LinkRouting

extension ClickService {
    /// Builds the context of a visit. Throws `invalid` for a query with access tokens.
    func arrival(_ visit: Visit, _ found: ResolvedLink) throws -> VisitContext {
        let query = URLParts.queryItems(visit.query ?? "")
        try LinkQuery.check(query)
        var visitor = visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints)
        visitor.country = country(visit.address)
        visitor.hasApp = LinkQuery.hasApp(query)
        let (items, refused) = found.trusted(query)
        return VisitContext(
            visit: visit, found: found, parameters: items.isEmpty ? found.parameters : found.parameters.overridden(by: items),
            urls: items.isEmpty ? found.urls : nil, refused: found.refused + refused, visitor: visitor)
    }

    /// Decides where the visit leads. Marks the visitor of a prefetch, preview or ignored visit as a robot.
    func decided(_ arrival: VisitContext) -> VisitOutcome {
        let (visit, link, app) = (arrival.visit, arrival.found.link, arrival.found.app)
        var visited = VisitOutcome(
            destination: decide(link: arrival.parameters, app: app.routing, visitor: arrival.visitor, urls: arrival.urls))
        if arrival.found.hasUsageLimit {
            visited.onceConsumed = decideConsumed(link: arrival.parameters, app: app.routing, visitor: arrival.visitor)
        }
        if visit.wantsTags {
            visited = VisitOutcome(destination: Destination(.preview, reason: .tagsWanted))
            arrival.visitor.robot = arrival.visitor.robot ?? .preview
        }
        // A prefetched page may be shown later, so it gets the usual response; but the visit is recorded as a robot's.
        if visit.isPrefetch { arrival.visitor.robot = arrival.visitor.robot ?? .prefetch }
        if link.ignores(visit.userAgent, at: clock.now()) { arrival.visitor.robot = arrival.visitor.robot ?? .ignored }
        return visited
    }

    /// Returns true if the browser is known to be beside the app, else nil: a browser that was never seen beside it proves nothing.
    func hasApp(_ arrival: VisitContext) async throws -> Bool? {
        guard let browser = arrival.visit.browser else { return nil }
        let scope = arrival.found.app.scope
        return try await storage.read { try $0.hasApp(browser, in: scope) } ? true : nil
    }

    func alternateDomain(for arrival: VisitContext) async throws -> String? {
        guard let host = arrival.wantedAlternateDomain else { return nil }
        return try await links.owner(of: host) == arrival.found.app.scope ? host : nil
    }

    /// Returns the alternate domain, if cached; the outer optional is nil if it is not.
    func cachedAlternateDomain(for arrival: VisitContext) -> String?? {
        guard let host = arrival.wantedAlternateDomain else { return .some(nil) }
        return links.cachedOwner(of: host).map { $0 == arrival.found.app.scope ? host : nil }
    }

    /// Resolves the link of a visit. If the URL names a click, that is the click's link, with the query appended then.
    func link(for visit: inout Visit) async throws -> ResolvedLink? {
        guard let text = LinkPath.clickText(visit.path), let id: Click.ID = publicIDs.id(for: text),
            var clicked = try await links.link(of: id, host: visit.host)
        else { return try await links.link(host: visit.host, path: visit.path, query: visit.query) }
        visit.append(clicked.clickedQuery)
        if visit.isWebOnly { clicked.parameters = clicked.parameters.webOnly }
        visit.continuesClick = clicked.continuesClick(at: clock.now())
        visit.via = clicked.via
        return clicked
    }
}
