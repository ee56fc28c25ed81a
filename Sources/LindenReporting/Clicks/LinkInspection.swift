import Linden
import LindenKernel
import LinkRouting

/// An operator's view of a link: where it would lead each visitor. Nothing is recorded.
package struct LinkInspection: Sendable {
    package var link: Link { found.link }
    package var app: AppContext { found.app }
    private let found: ResolvedLink
    private let parameters: ControlParameters
    private let availability: LinkAvailability
    private let onceExpired: Destination
    private let hasApp: Bool?

    init(_ found: ResolvedLink, appended query: String?, _ availability: LinkAvailability, on domain: Domain?) {
        self.found = found
        let query = URLParts.queryItems(query ?? "")
        parameters = found.parameters.overridden(by: found.trusted(query).items)
        hasApp = LinkQuery.hasApp(query)
        self.availability = availability
        onceExpired = found.destinationOnceExpired(on: domain)
    }

    /// What a program reads that shows the link as a card, such as a messenger.
    package func preview(at time: Timestamp) -> VisitResult {
        VisitResult(
            found, visitor: Visitor(userAgent: ""), isWebOnly: false, alternateDomain: nil, query: nil, parameters: parameters,
            object: [:], time: time, decision: RenderedDestination(Destination(.preview, reason: .tagsWanted)), clickID: "0",
            clickCookies: nil)
    }

    package func destination(for visitor: Visitor) -> Destination {
        var visitor = visitor
        visitor.hasApp = hasApp ?? visitor.hasApp
        return switch availability {
        case .available: decide(link: parameters, app: app.routing, visitor: visitor)
        case .consumed: decideConsumed(link: parameters, app: app.routing, visitor: visitor)
        case .expired: onceExpired
        }
    }
}

extension ClickService {
    /// Returns the link at a host, path and query; nil if there is none.
    package func inspect(host: String, path: String, query: String?) async throws -> LinkInspection? {
        if let text = LinkPath.clickText(path), var clicked = try await links.link(host: host, clickOrSlug: text) {
            if LinkPath(path, hasQuery: false).isWebOnly { clicked.parameters = clicked.parameters.webOnly }
            return try await inspect(
                clicked, appended: [clicked.clickedQuery, query].compactMap { $0 }.joined(separator: "&"), on: host)
        }
        guard let found = try await links.link(host: host, path: path, query: query) else { return nil }
        return try await inspect(found, appended: query, on: host)
    }

    /// Returns the link at a URL; nil if there is none.
    package func inspect(url: String) async throws -> LinkInspection? {
        let parts = URLParts(url)
        guard try await links.isOwnHost(parts.host) else { return nil }
        return try await inspect(host: parts.host, path: parts.path, query: parts.query)
    }

    /// Returns where a link would lead if it were stored as it is given.
    package func inspect(unsaved link: Link, of app: AppContext) async throws -> LinkInspection {
        try await inspect(
            ResolvedLink(link: link, app: app, parameters: link.controlParameters), appended: nil, on: link.address.host)
    }

    private func inspect(_ found: ResolvedLink, appended query: String?, on host: String) async throws -> LinkInspection {
        try LinkQuery.check(URLParts.queryItems(query ?? ""))
        let link = found.link
        let hasExpired = link.hasExpired(at: clock.now(), in: found.app.app.configuration)
        let availability = try await storage.read { hasExpired ? .expired : try $0.availability(of: link) }
        return LinkInspection(found, appended: query, availability, on: try await links.domain(host))
    }
}
