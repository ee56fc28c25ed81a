import LinkRouting

extension ClickService {
    func redirection(_ arrival: VisitContext, _ visited: VisitOutcome, alternateDomain: String?, object: JSONObject)
        -> VisitResult
    {
        let found = arrival.found
        if !arrival.refused.isEmpty { refusedURLs.record(arrival.refused, in: found.app.scope) }
        return VisitResult(
            found, visitor: arrival.visitor, isWebOnly: arrival.visit.isWebOnly,
            alternateDomain: alternateDomain, query: arrival.visit.query,
            parameters: visited.isUsed ? arrival.parameters.webOnly : arrival.parameters,
            object: object, time: clock.now(), destination: visited.destination,
            clickID: visited.click.map { publicIDs.string(for: $0.id) } ?? "0",
            clickCookies: visited.click.flatMap { ClickCookies($0, of: found, leadingTo: visited.destination) })
    }

    /// Returns the response for an expired link, see ``ResolvedLink/destinationOnceExpired(on:)``.
    func ended(_ arrival: VisitContext, on domain: Domain?) -> VisitResult {
        let (found, visit) = (arrival.found, arrival.visit)
        return VisitResult(
            found, visitor: visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints),
            isWebOnly: visit.isWebOnly, alternateDomain: nil, query: nil, parameters: found.parameters.webOnly, object: [:],
            time: clock.now(), destination: found.destinationOnceExpired(on: domain), clickID: "0", clickCookies: nil)
    }

    /// Returns the authenticated data of the content object that a link is about; empty if there is none.
    func object(of link: Link) async throws -> JSONObject {
        guard let identifier = link.objectName else { return [:] }
        return try await storage.read { reader in
            guard let object = try reader.object(identifier, in: link.scope), object.isAuthenticated else { return [:] }
            return object.data
        }
    }
}

extension Link {
    /// The identifier of the content object that the link is about; nil if there is none.
    var objectName: String? { UniversalObject.identifier(in: data) }
}

extension ClickCookies {
    init?(_ click: Click, of found: ResolvedLink, leadingTo destination: Destination) {
        let window = found.link.matchWindow(appended: click.query, atMost: found.app.longestMatch)
        guard destination.canOpenApp, let browser = click.browser, window > .zero else { return nil }
        self.init(browser: browser, click: click.id, scope: click.scope, window: window)
    }
}
