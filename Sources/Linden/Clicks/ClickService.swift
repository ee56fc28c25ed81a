import LinkRouting
import Logging

/// The policy for visits whose click cannot be recorded (`clicks.on_failure`).
package enum ClickFailurePolicy: String, Sendable, CaseIterable {
    /// Respond with a retryable error: no visit goes uncounted.
    case refuse
    /// Redirect the visitor without recording: no visitor is lost, but the click is.
    case redirect
}

/// Handles visits to links: resolves the link, decides the destination, records the click.
package final class ClickService: Sendable {
    let storage: any Storage
    let links: LinkDirectory
    let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressPseudonymizer
    private let onFailure: ClickFailurePolicy
    private let logger: Logger
    let clock: WallClock
    private let visitors = VisitorCache()
    private let refusedURLs: RefusedURLMonitor
    private let disk: DiskMonitor

    package init(
        storage: any Storage, links: LinkDirectory, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressPseudonymizer, refusedURLs: RefusedURLMonitor,
        clock: WallClock,
        onFailure: ClickFailurePolicy, disk: DiskMonitor, logger: Logger
    ) {
        self.disk = disk
        self.addressClass = addressClass
        self.addresses = addresses
        self.refusedURLs = refusedURLs
        self.country = country
        self.clock = clock
        self.logger = logger
        self.onFailure = onFailure
        self.storage = storage
        self.links = links
        self.publicIDs = publicIDs
    }

    /// Decides where a visit leads and records it. Returns only once the record is durable; nil if there is no such link.
    package func visit(_ visit: Visit) async throws -> VisitResult? {
        var visit = visit
        guard let found = try await link(for: &visit) else { return nil }
        let arrival = try arrival(visit, found)
        guard !hasEnded(found) else { return ended(arrival, on: try await links.domain(visit.host)) }
        if arrival.mustAskForApp { arrival.visitor.hasApp = try await hasApp(arrival) }
        let visited = decided(arrival)
        let outcome = visit.isHead ? try await look(visited, found.link) : try await recorded(arrival, visited)
        guard !outcome.hasEnded else { return ended(arrival, on: try await links.domain(visit.host)) }
        return redirection(
            arrival, outcome, alternateDomain: try await alternateDomain(for: arrival),
            object: outcome.destination.action == .preview ? try await object(of: found.link) : [:])
    }

    /// Synchronous fast path. Succeeds only if link, host owner and address key are cached; otherwise returns false without side effects.
    ///
    /// - Parameters:
    ///   - admit: checks the rate limits, once it is certain that the visit is recorded here. An error that it throws is the response.
    ///   - answer: called once, when the record is durable, with a closure that returns the response. It is called on the storage's own
    ///     thread, so the closure should run on another.
    /// - Returns: false if something has to be looked up first, or the visit is refused; then nothing was done.
    package func visit(
        _ visit: Visit, admittedBy admit: () throws -> Void,
        then answer: @escaping @Sendable (_ redirection: @escaping @Sendable () throws -> VisitResult) -> Void
    ) -> Bool {
        guard !visit.isHead, let found = links.known(host: visit.host, path: visit.path), !hasEnded(found),
            let arrival = try? arrival(visit, found), !arrival.mustAskForApp
        else { return false }
        let visited = decided(arrival)
        let isPreview = (visited.onceConsumed ?? visited.destination).action == .preview || visited.destination.action == .preview
        guard !isPreview || found.link.objectName == nil, case .some(let alternateDomain) = cachedAlternateDomain(for: arrival),
            let address = addresses.known(visit.address, for: window(of: arrival))
        else { return false }
        let domain = found.hasUsageLimit ? links.cachedDomain(visit.host) ?? nil : nil
        do {
            try admit()
        } catch {
            answer { throw error }
            return true
        }
        storage.write(recording(arrival, visited, address: address)) { result in
            answer {
                let outcome = try self.outcome(of: result, arrival, visited)
                guard !outcome.hasEnded else { return self.ended(arrival, on: domain) }
                return self.redirection(arrival, outcome, alternateDomain: alternateDomain, object: [:])
            }
        }
        return true
    }

    /// Builds the context of a visit. Throws `invalid` for a query with access tokens.
    private func arrival(_ visit: Visit, _ found: ResolvedLink) throws -> VisitContext {
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

    private func hasEnded(_ found: ResolvedLink) -> Bool {
        found.link.hasExpired(at: clock.now(), in: found.app.app.configuration)
    }

    /// Decides where the visit leads. Marks the visitor of a prefetch, preview or ignored visit as a robot.
    private func decided(_ arrival: VisitContext) -> VisitOutcome {
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

    private func redirection(_ arrival: VisitContext, _ visited: VisitOutcome, alternateDomain: String?, object: JSONObject)
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

    /// Returns true if the browser is known to be beside the app, else nil: a browser that was never seen beside it proves nothing.
    private func hasApp(_ arrival: VisitContext) async throws -> Bool? {
        guard let browser = arrival.visit.browser else { return nil }
        let scope = arrival.found.app.scope
        return try await storage.read { try $0.hasApp(browser, in: scope) } ? true : nil
    }

    private func alternateDomain(for arrival: VisitContext) async throws -> String? {
        guard let host = arrival.wantedAlternateDomain else { return nil }
        return try await links.owner(of: host) == arrival.found.app.scope ? host : nil
    }

    /// Returns the alternate domain, if cached; the outer optional is nil if it is not.
    private func cachedAlternateDomain(for arrival: VisitContext) -> String?? {
        guard let host = arrival.wantedAlternateDomain else { return .some(nil) }
        return links.cachedOwner(of: host).map { $0 == arrival.found.app.scope ? host : nil }
    }

    /// Returns the authenticated data of the content object that a link is about; empty if there is none.
    private func object(of link: Link) async throws -> JSONObject {
        guard let identifier = link.objectName else { return [:] }
        return try await storage.read { reader in
            guard let object = try reader.object(identifier, in: link.scope), object.isAuthenticated else { return [:] }
            return object.data
        }
    }

    /// Returns the response for an expired link, see ``ResolvedLink/destinationOnceExpired(on:)``.
    private func ended(_ arrival: VisitContext, on domain: Domain?) -> VisitResult {
        let (found, visit) = (arrival.found, arrival.visit)
        return VisitResult(
            found, visitor: visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints),
            isWebOnly: visit.isWebOnly, alternateDomain: nil, query: nil, parameters: found.parameters.webOnly, object: [:],
            time: clock.now(), destination: found.destinationOnceExpired(on: domain), clickID: "0", clickCookies: nil)
    }

    /// Resolves the link of a visit. If the URL names a click, that is the click's link, with the query appended then.
    private func link(for visit: inout Visit) async throws -> ResolvedLink? {
        guard let text = LinkPath.clickText(visit.path), let id: Click.ID = publicIDs.id(for: text),
            var clicked = try await links.link(of: id, host: visit.host)
        else { return try await links.link(host: visit.host, path: visit.path, query: visit.query) }
        visit.append(clicked.clickedQuery)
        if visit.isWebOnly { clicked.parameters = clicked.parameters.webOnly }
        visit.continuesClick = clicked.continuesClick(at: clock.now())
        visit.via = clicked.via
        return clicked
    }

    /// Returns the scope of the link at a host and path; nil if there is none.
    package func scope(host: String, path: String) async throws -> Scope? {
        try await links.link(host: host, path: path, query: nil)?.link.scope
    }

    /// Returns the click of a scope that `/c/<click id>` names; nil if there is none.
    package func click(_ text: String, in scope: Scope) async throws -> Click? {
        guard let id: Click.ID = publicIDs.id(for: text) else { return nil }
        return try await storage.read { try $0.click(id) }.flatMap { $0.scope == scope ? $0 : nil }
    }

    private func recorded(_ arrival: VisitContext, _ visited: VisitOutcome) async throws -> VisitOutcome {
        let result: Result<VisitOutcome, any Error>
        do {
            let address = try await addresses.written(arrival.visit.address, for: window(of: arrival))
            result = .success(try await storage.write(recording(arrival, visited, address: address)))
        } catch {
            result = .failure(error)
        }
        return try outcome(of: result, arrival, visited)
    }

    /// Returns the outcome of recording. If the click could not be recorded and the policy is ``ClickFailurePolicy/redirect``, the outcome
    /// has no click: it has no id, so it cannot be mistaken for a recorded one.
    private func outcome(of result: Result<VisitOutcome, any Error>, _ arrival: VisitContext, _ visited: VisitOutcome) throws
        -> VisitOutcome
    {
        do {
            return try result.get()
        } catch let failure as Failure where failure.code == .unavailable && onFailure == .redirect {
            logger.warning(
                "A click could not be recorded; its visitor was redirected.",
                metadata: ["link": "\(arrival.found.link.id)", "reason": "\(failure)"])
            return visited
        }
    }

    /// Returns how long the click may be matched by its address.
    private func window(of arrival: VisitContext) -> Duration {
        addresses.privacy.limited(
            arrival.found.link.matchWindow(appended: arrival.visit.query, atMost: arrival.found.app.longestMatch))
    }

    /// Returns a transaction that records a visit and takes one of the link's clicks if their number is limited.
    private func recording(
        _ arrival: VisitContext, _ visited: VisitOutcome, address: String
    ) -> @Sendable (any Transaction) throws -> VisitOutcome {
        let (device, window, referrerHost) = (arrival.visit.device, window(of: arrival), arrival.visit.referrerHost)
        let (addressClass, site) = (addressClass(arrival.visit.address), addresses.site(of: arrival.visit.address))
        let query = disk.recordedQuery(arrival.visit.query)
        let appended = arrival.visitor.robot == nil ? ClickContent.appended(query) : nil
        return { transaction in
            let (visit, visitor, parameters) = (arrival.visit, arrival.visitor, arrival.parameters)
            let (link, app) = (arrival.found.link, arrival.found.app)
            let isPerson = visitor.robot == nil
            let browser = isPerson ? visit.browser : nil
            var visited = visited
            if arrival.found.hasUsageLimit {
                visited.apply(
                    try isPerson
                        ? transaction.availabilityTakingClick(of: link, isTaken: visit.continuesClick)
                        : transaction.availability(of: link)
                )
                if visited.hasEnded { return visited }
            }
            let destination = visited.destination
            let mayOpenApp = isPerson && destination.canOpenApp
            let click = Click(
                id: try transaction.newID(), link: link.id, scope: link.scope, visitor: visitor, address: address,
                addressClass: addressClass, site: site, userAgent: visit.userAgent, referrer: visit.referrer,
                referrerHost: referrerHost, query: query,
                action: Click.Action(destination.action), reason: destination.reason,
                browser: mayOpenApp ? try browser ?? transaction.newID() : browser, via: visit.via)
            let kept = click.kept(as: parameters)
            try transaction.insert(kept)
            let language = parameters.isWithoutRecord ? nil : visit.language
            if app.app.configuration.matchesFingerprints,
                let open = PendingClick(
                    kept, leadingTo: destination, language: language, appended: appended, window: window, at: transaction.now)
            {
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

    /// Returns the outcome that a visit would have, without recording it.
    private func look(_ visited: VisitOutcome, _ link: Link) async throws -> VisitOutcome {
        guard link.hasUsageLimit else { return visited }
        var visited = visited
        visited.apply(try await storage.read { try $0.availability(of: link) })
        return visited
    }
}

/// The outcome of a visit.
private struct VisitOutcome: Sendable {
    var destination: Destination
    /// The destination if the one-time link is consumed.
    var onceConsumed: Destination?
    var hasEnded = false
    var isUsed = false
    var click: Click?

    init(destination: Destination) {
        self.destination = destination
    }

    mutating func apply(_ availability: LinkAvailability) {
        switch availability {
        case .available: break
        case .consumed:
            isUsed = true
            destination = onceConsumed ?? destination
        case .expired: hasEnded = true
        }
    }
}

extension Link {
    /// The identifier of the content object that the link is about; nil if there is none.
    fileprivate var objectName: String? { UniversalObject.identifier(in: data) }
}

extension ClickCookies {
    init?(_ click: Click, of found: ResolvedLink, leadingTo destination: Destination) {
        let window = found.link.matchWindow(appended: click.query, atMost: found.app.longestMatch)
        guard destination.canOpenApp, let browser = click.browser, window > .zero else { return nil }
        self.init(browser: browser, click: click.id, scope: click.scope, window: window)
    }
}

extension PendingClick {
    /// A pending click for a click that is not a robot's, is on an OS that has apps, and leads to the app; nil otherwise.
    init?(
        _ click: Click, leadingTo destination: Destination, language: String?, appended: String?, window: Duration,
        at time: Timestamp
    ) {
        guard click.visitor.robot == nil, destination.canOpenApp, let os = click.visitor.os,
            !click.address.isEmpty, window > .zero
        else { return nil }
        self.init(
            click: click.id, link: click.link,
            fingerprint: Fingerprint(scope: click.scope, address: click.address, os: os, osVersion: click.visitor.osVersion ?? ""),
            model: click.visitor.model, language: language, addressClass: click.addressClass,
            expiresAt: time + window, appended: appended)
    }
}
