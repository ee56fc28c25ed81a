import LinkRouting
import Logging

/// What to do with a visitor whose click cannot be recorded (`clicks.on_failure`).
package enum ClickFailurePolicy: String, Sendable, CaseIterable {
    /// Answer with an error that a retry can help: no visit goes uncounted.
    case refuse
    /// Send the visitor on all the same: no visitor is lost, but the click is.
    case redirect
}

/// Answers visits to links: find, decide, record.
package struct ClickService: Sendable {
    let storage: any Storage
    let links: LinkDirectory
    let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressBook
    private let onFailure: ClickFailurePolicy
    private let logger: Logger
    let clock: WallClock
    private let visitors = VisitorCache()

    package init(
        storage: any Storage, links: LinkDirectory, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressBook, clock: WallClock, onFailure: ClickFailurePolicy,
        logger: Logger
    ) {
        self.addressClass = addressClass
        self.addresses = addresses
        self.country = country
        self.clock = clock
        self.logger = logger
        self.onFailure = onFailure
        self.storage = storage
        self.links = links
        self.publicIDs = publicIDs
    }

    /// Decides where a visit leads and records it. Returns only once the record is durable; nil if there is no such link.
    package func visit(_ visit: Visit) async throws -> Redirection? {
        var visit = visit
        guard let found = try await link(for: &visit) else { return nil }
        let query = URLParts.queryItems(visit.query ?? "")
        try LinkQuery.check(query)
        guard !found.link.hasExpired(at: clock.now(), in: found.app.app.configuration) else { return try ended(found, visit) }
        var visitor = visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints)
        visitor.country = country(visit.address)
        let parameters = found.parameters.overridden(by: query)
        visitor.hasApp = try await hasApp(visit, query, visitor, parameters, found.app)
        var visited = Visited(destination: decide(link: parameters, app: found.app.routing, visitor: visitor))
        if found.link.isCounted {
            visited.onceUsed = decideOnceUsed(link: parameters, app: found.app.routing, visitor: visitor)
        }
        if visit.wantsTags {
            visited = Visited(destination: Destination(.preview, reason: .tagsWanted))
            visitor.robot = visitor.robot ?? .preview
        }
        // A page that was loaded ahead may be shown later, so its user gets what he would get; but nobody has come yet.
        if visit.isPrefetch { visitor.robot = visitor.robot ?? .prefetch }
        if found.link.ignores(visit.userAgent, at: clock.now()) { visitor.robot = visitor.robot ?? .ignored }
        visited =
            visit.isHead
            ? try await look(visited, found.link) : try await recordIfPossible(visit, visitor, found, parameters, visited)
        guard !visited.hasEnded else { return try ended(found, visit) }
        return Redirection(
            link: found.link, app: found.app, visitor: visitor, isWebOnly: visit.isWebOnly,
            secondHost: try await secondHost(for: visit, visitor, found.app), query: visit.query,
            parameters: visited.isUsed ? parameters.webOnly : parameters,
            object: visited.destination.action == .preview ? try await object(of: found.link) : [:], time: clock.now(),
            destination: visited.destination,
            clickID: visited.click.map { publicIDs.string(for: $0.id) } ?? "0",
            keepsake: visited.click.flatMap { BrowserKeepsake($0, of: found.link, leadingTo: visited.destination) })
    }

    /// Whether a visitor has the app, where that makes a difference: as the link's address says (`has_app`), or as the browser is known.
    private func hasApp(
        _ visit: Visit, _ query: [QueryItem], _ visitor: Visitor, _ parameters: ControlParameters, _ app: AppContext
    ) async throws -> Bool? {
        if let said = LinkQuery.hasApp(query) { return said }
        guard visitor.robot == nil, let browser = visit.browser, parameters.asksForApp(on: visitor.platform, app.routing) else {
            return nil
        }
        // A browser that was never seen beside the app proves nothing.
        return try await storage.read { try $0.hasApp(browser, in: app.scope) } ? true : nil
    }

    /// iOS opens an app for a tap on a link to another host than the page's own, so a button on a page leads to a second one (Apple,
    /// "Supporting universal links in your app").
    private func secondHost(for visit: Visit, _ visitor: Visitor, _ app: AppContext) async throws -> String? {
        let configuration = app.app.configuration
        guard visitor.platform == .iOS, configuration["ios_team_id"] != nil, configuration["ios_bundle_id"] != nil,
            let host = configuration["alternate_short_url_domain"].flatMap({ try? Domain.normalizedHost($0) }), host != visit.host,
            try await links.owner(of: host) == app.scope
        else { return nil }
        return host
    }

    /// What is known of the content that a link is about, from all its links.
    private func object(of link: Link) async throws -> JSONObject {
        guard let identifier = link.data["$canonical_identifier"]?.scalarText ?? link.data["$canonical_url"]?.string else {
            return [:]
        }
        return try await storage.read { try $0.object(identifier, in: link.scope)?.data } ?? [:]
    }

    /// Where a link leads that has ended: to the address its maker chose for then, or to a page that says so.
    private func ended(_ found: FoundLink, _ visit: Visit) throws -> Redirection {
        guard let url = found.link.limits.expiredURL, found.app.routing.allows(url) else { throw Failure.linkEnded }
        return Redirection(
            link: found.link, app: found.app, visitor: visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints),
            isWebOnly: visit.isWebOnly, secondHost: nil, query: nil, parameters: found.parameters.webOnly, object: [:],
            time: clock.now(),
            destination: Destination(.redirect(.web(url)), reason: .ended), clickID: "0", keepsake: nil)
    }

    /// The link a visit is to. Where it names a click, it is to that click's link, with what was appended then.
    private func link(for visit: inout Visit) async throws -> FoundLink? {
        guard let text = LinkPath.clickText(visit.path), let id: Click.ID = publicIDs.id(for: text),
            var clicked = try await links.link(of: id, host: visit.host)
        else { return try await links.link(host: visit.host, path: visit.path, query: visit.query) }
        visit.append(clicked.clickedQuery)
        if visit.isWebOnly { clicked.parameters = clicked.parameters.webOnly }
        visit.goesOn = clicked.isGoingOn(at: clock.now())
        visit.via = clicked.via
        return clicked
    }

    /// Whose link lies at a host and path; nil if none does.
    package func scope(host: String, path: String) async throws -> Scope? {
        try await links.link(host: host, path: path, query: nil)?.link.scope
    }

    /// The click of a scope that `/c/<click id>` names.
    package func click(_ text: String, in scope: Scope) async throws -> Click? {
        guard let id: Click.ID = publicIDs.id(for: text) else { return nil }
        return try await storage.read { try $0.click(id) }.flatMap { $0.scope == scope ? $0 : nil }
    }

    /// Without a click if it could not be recorded, where the operator would rather lose the click than the visitor. Such a click
    /// has no id, so nobody can take it for a recorded one.
    private func recordIfPossible(
        _ visit: Visit, _ visitor: Visitor, _ found: FoundLink, _ parameters: ControlParameters, _ visited: Visited
    ) async throws -> Visited {
        do {
            return try await record(visit, visitor, found, parameters, visited)
        } catch let failure as Failure where failure.code == .unavailable && onFailure == .redirect {
            logger.warning(
                "A click was lost: its visitor was sent on.", metadata: ["link": "\(found.link.id)", "reason": "\(failure)"])
            return visited
        }
    }

    /// Records a visit and, in the same transaction, takes one of the link's clicks if it has only so many.
    private func record(
        _ visit: Visit, _ visitor: Visitor, _ found: FoundLink, _ parameters: ControlParameters, _ visited: Visited
    ) async throws -> Visited {
        let (link, app) = (found.link, found.app)
        let device = visit.device
        let window = addresses.privacy.limited(link.matchWindow(appended: visit.query))
        let address = try await addresses.written(visit.address, for: window)
        let addressClass = addressClass(visit.address)
        let referrerHost = visit.referrerHost
        let isPerson = visitor.robot == nil
        let browser = isPerson ? visit.browser : nil
        return try await storage.write { transaction in
            var visited = visited
            if link.isCounted {
                visited.stand(
                    try isPerson ? transaction.standingTakingClick(of: link, isTaken: visit.goesOn) : transaction.standing(of: link)
                )
                if visited.hasEnded { return visited }
            }
            let destination = visited.destination
            let mayOpenApp = isPerson && destination.canOpenApp
            let click = Click(
                id: try transaction.newID(), link: link.id, scope: link.scope, visitor: visitor, address: address,
                addressClass: addressClass, userAgent: visit.userAgent, referrer: visit.referrer, referrerHost: referrerHost,
                query: visit.query,
                action: Click.Action(destination.action), reason: destination.reason,
                browser: mayOpenApp ? try browser ?? transaction.newID() : browser, via: visit.via)
            let kept = click.kept(as: parameters)
            try transaction.insert(kept)
            let language = parameters.isWithoutRecord ? nil : visit.language
            if let open = OpenClick(kept, leadingTo: destination, language: language, window: window, at: transaction.now) {
                try transaction.insert(open)
            }
            if mayOpenApp, !parameters.isWithoutRecord, let device {
                let windows = AttributionWindows(parameters, app: app.app.configuration)
                try transaction.insert(
                    click.id, namingDevice: device, in: click.scope,
                    expiresAt: transaction.now + .seconds(windows.seconds(for: .install)))
            }
            visited.click = kept
            return visited
        }
    }

    /// What a visit would come to; nothing is recorded.
    private func look(_ visited: Visited, _ link: Link) async throws -> Visited {
        guard link.isCounted else { return visited }
        var visited = visited
        visited.stand(try await storage.read { try $0.standing(of: link) })
        return visited
    }
}

/// What a visit came to.
private struct Visited: Sendable {
    var destination: Destination
    /// Where a one-time link leads that has had its session.
    var onceUsed: Destination?
    var hasEnded = false
    var isUsed = false
    var click: Click?

    init(destination: Destination) {
        self.destination = destination
    }

    mutating func stand(_ standing: LinkStanding) {
        switch standing {
        case .good: break
        case .used:
            isUsed = true
            destination = onceUsed ?? destination
        case .ended: hasEnded = true
        }
    }
}

extension BrowserKeepsake {
    init?(_ click: Click, of link: Link, leadingTo destination: Destination) {
        let window = link.matchWindow(appended: click.query)
        guard destination.canOpenApp, let browser = click.browser, window > .zero else { return nil }
        self.init(browser: browser, click: click.id, scope: click.scope, window: window)
    }
}

extension OpenClick {
    /// A click stays open for an install if a person made it, on a system that has apps, on the way to the app.
    init?(_ click: Click, leadingTo destination: Destination, language: String?, window: Duration, at time: Timestamp) {
        guard click.visitor.robot == nil, destination.canOpenApp, let os = click.visitor.os,
            !click.address.isEmpty, window > .zero
        else { return nil }
        self.init(
            click: click.id, link: click.link,
            fingerprint: Fingerprint(scope: click.scope, address: click.address, os: os, osVersion: click.visitor.osVersion ?? ""),
            model: click.visitor.model, language: language, addressClass: click.addressClass,
            expiresAt: time + window)
    }
}
