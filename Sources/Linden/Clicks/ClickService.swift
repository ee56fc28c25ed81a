import LindenKernel
import LinkRouting
import Logging

/// Handles visits to links: resolves the link, decides the destination, records the click.
package final class ClickService: Sendable {
    package let storage: any Storage
    package let links: LinkDirectory
    let publicIDs: PublicIDs
    let country: CountryLookup
    let addressClass: AddressClassLookup
    let addresses: AddressPseudonymizer
    let onFailure: ClickFailurePolicy
    let logger: Logger
    package let clock: WallClock
    package let visitors = VisitorCache()
    let refusedURLs: RefusedURLMonitor
    let recordedQuery: RecordedQuery
    /// The clicks that could not be recorded, by reason.
    let unrecorded: PeriodicCounts<String>

    package init(
        storage: any Storage, links: LinkDirectory, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressPseudonymizer, refusedURLs: RefusedURLMonitor,
        clock: WallClock, onFailure: ClickFailurePolicy, recordedQuery: @escaping RecordedQuery, logger: Logger
    ) {
        unrecorded = PeriodicCounts(clock: clock)
        self.recordedQuery = recordedQuery
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

    // MARK: Visits

    /// Handles a visit, and looks up what is not cached. Returns only once the record is durable; nil if there is no such link.
    ///
    /// - Parameter admit: checks the rate limits for the query of the click that the visit continues, which is stored again. Not called if
    ///   it continues none.
    package func visit(
        _ visit: Visit, admittedBy admit: (_ earlierQuery: String) throws -> Void = { _ in }
    ) async throws -> VisitResult? {
        var visit = visit
        guard let found = try await link(for: &visit) else { return nil }
        if let query = found.clickedQuery { try admit(query) }
        let context = try context(of: visit, found)
        if hasExpired(found) { return ended(context, on: try await links.domain(visit.host)) }
        if context.mustAskForApp { context.visitor.hasApp = try await hasApp(context) }
        decideOutcome(of: context)
        context.inputs = try await inputs(for: context)
        let outcome: Result<VisitOutcome, any Error> = visit.isHead ? .success(try await look(context)) : await recorded(context)
        return try result(of: outcome, context)
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
        then answer: @escaping @Sendable (_ result: @escaping @Sendable () throws -> VisitResult) -> Void
    ) -> Bool {
        guard !visit.isHead, let found = links.cachedLink(host: visit.host, path: visit.path), !hasExpired(found),
            let context = try? context(of: visit, found), !context.mustAskForApp
        else { return false }
        decideOutcome(of: context)
        guard let inputs = cachedInputs(for: context), let address = addresses.cachedForm(visit.address, for: window(of: context))
        else { return false }
        context.inputs = inputs
        do {
            try admit()
        } catch {
            answer { throw error }
            return true
        }
        storage.write(recording(context, address: address)) { outcome in
            answer { try self.result(of: outcome, context) }
        }
        return true
    }

    // MARK: The link and its context

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

    private func hasExpired(_ found: ResolvedLink) -> Bool {
        found.hasExpired(at: clock.now())
    }

    /// Builds the context of a visit. Throws `invalid` for a query with access tokens.
    private func context(of visit: Visit, _ found: ResolvedLink) throws -> VisitContext {
        var visitor = visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints)
        visitor.country = country(visit.address)
        let query = visit.query.map { URLParts.queryItems($0) } ?? []
        if query.isEmpty {
            return VisitContext(
                visit: visit, found: found, parameters: found.parameters, urls: found.urls, refused: found.refused, visitor: visitor
            )
        }
        try LinkQuery.check(query)
        visitor.hasApp = LinkQuery.hasApp(query)
        let (items, refused) = found.trusted(query)
        return VisitContext(
            visit: visit, found: found, parameters: items.isEmpty ? found.parameters : found.parameters.overridden(by: items),
            urls: items.isEmpty ? found.urls : nil, refused: found.refused + refused, visitor: visitor)
    }

    /// Returns true if the browser is known to be beside the app, else nil: a browser that was never seen beside it proves nothing.
    private func hasApp(_ context: VisitContext) async throws -> Bool? {
        guard let browser = context.visit.browser else { return nil }
        let scope = context.found.app.scope
        return try await storage.read { try $0.hasApp(browser, in: scope) } ? true : nil
    }

    // MARK: The decision

    /// Decides where the visit leads. Marks the visitor of a prefetch, preview or ignored visit as a robot.
    private func decideOutcome(of context: VisitContext) {
        if context.visit.wantsTags {
            context.outcome = VisitOutcome(RenderedDestination(Destination(.preview, reason: .tagsWanted)))
            context.visitor.robot = context.visitor.robot ?? .preview
        } else {
            var outcome = VisitOutcome(decision(of: context))
            if context.found.hasUsageLimit {
                outcome.onceConsumed = decideConsumed(
                    link: context.parameters, app: context.found.app.routing, visitor: context.visitor)
            }
            context.outcome = outcome
        }
        // A prefetched page may be shown later, and ignored visitors get the usual response; but both are recorded as robots'.
        if context.visit.isPrefetch { context.visitor.robot = context.visitor.robot ?? .prefetch }
        if context.found.link.ignores(context.visit.userAgent, at: clock.now()) {
            context.visitor.robot = context.visitor.robot ?? .ignored
        }
    }

    /// Returns the decision on a visit. On a link as it is stored, it is the one on the last visitor of the same class, if that is cached.
    private func decision(of context: VisitContext) -> RenderedDestination {
        let found = context.found
        guard let urls = context.urls else {
            return RenderedDestination(decide(link: context.parameters, app: found.app.routing, visitor: context.visitor))
        }
        let visitor = VisitorClass(context.visitor, of: urls)
        if let known = found.decisions.decision(for: visitor) { return known }
        let decision = RenderedDestination(
            decide(link: context.parameters, app: found.app.routing, visitor: visitor, urls: urls))
        if found.decisions.insert(decision, for: visitor) { links.addDecision(to: found) }
        return decision
    }

    // MARK: What the response needs

    /// Looks up the values that the response needs.
    private func inputs(for context: VisitContext) async throws -> VisitInputs {
        let (found, host) = (context.found, context.wantedAlternateDomain)
        var inputs = VisitInputs()
        if let host, try await links.owner(of: host) == found.app.scope { inputs.alternateDomain = host }
        if found.hasUsageLimit { inputs.domain = try await links.domain(context.visit.host) }
        if context.outcome.mayBePreview { inputs.object = try await object(of: found.link) }
        return inputs
    }

    /// Returns the values that the response needs, if cached. Nil if one is not; objects never are.
    private func cachedInputs(for context: VisitContext) -> VisitInputs? {
        let (found, host) = (context.found, context.wantedAlternateDomain)
        var inputs = VisitInputs()
        if let host {
            let owner = links.cachedOwner(of: host)
            guard owner.isKnown else { return nil }
            if owner.value == found.app.scope { inputs.alternateDomain = host }
        }
        if found.hasUsageLimit { inputs.domain = links.cachedDomain(context.visit.host).value }
        return context.outcome.mayBePreview && found.link.objectName != nil ? nil : inputs
    }

    /// Returns the authenticated data of the content object that a link is about; empty if there is none.
    private func object(of link: Link) async throws -> JSONObject {
        guard let identifier = link.objectName else { return [:] }
        return try await storage.read { reader in
            guard let object = try reader.object(identifier, in: link.scope), object.isAuthenticated else { return [:] }
            return object.data
        }
    }

    // MARK: The result

    /// Returns the result of a visit for the outcome of its recording.
    private func result(of outcome: Result<VisitOutcome, any Error>, _ context: VisitContext) throws -> VisitResult {
        let outcome = try self.outcome(of: outcome, context)
        guard !outcome.hasEnded else { return ended(context, on: context.inputs.domain) }
        let found = context.found
        if !context.refused.isEmpty { refusedURLs.record(context.refused, in: found.app.scope) }
        return VisitResult(
            found, visitor: context.visitor, isWebOnly: context.visit.isWebOnly,
            alternateDomain: context.inputs.alternateDomain, query: context.visit.query,
            parameters: outcome.isUsed ? context.parameters.webOnly : context.parameters,
            object: outcome.destination.action == .preview ? context.inputs.object : [:], time: clock.now(),
            decision: outcome.decision,
            clickID: outcome.click.map { publicIDs.string(for: $0.id) } ?? "0",
            clickCookies: outcome.click.flatMap { ClickCookies($0, of: found, leadingTo: outcome.destination) })
    }

    /// Returns the response for an expired link, see ``ResolvedLink/destinationOnceExpired(on:)``.
    private func ended(_ context: VisitContext, on domain: Domain?) -> VisitResult {
        let (found, visit) = (context.found, context.visit)
        return VisitResult(
            found, visitor: visitors.visitor(userAgent: visit.userAgent, clientHints: visit.clientHints),
            isWebOnly: visit.isWebOnly, alternateDomain: nil, query: nil, parameters: found.parameters.webOnly, object: [:],
            time: clock.now(), decision: RenderedDestination(found.destinationOnceExpired(on: domain)), clickID: "0",
            clickCookies: nil)
    }

    // MARK: Clicks

    /// Returns the scope of the link at a host and path; nil if there is none.
    package func scope(host: String, path: String) async throws -> Scope? {
        try await links.link(host: host, path: path, query: nil)?.link.scope
    }

    /// Returns the click of a scope that `/c/<click id>` names; nil if there is none.
    package func click(_ text: String, in scope: Scope) async throws -> Click? {
        guard let id: Click.ID = publicIDs.id(for: text) else { return nil }
        return try await storage.read { try $0.click(id) }.flatMap { $0.scope == scope ? $0 : nil }
    }
}

extension Link {
    /// The identifier of the content object that the link is about; nil if there is none.
    var objectName: String? { UniversalObject.identifier(in: data) }
}
