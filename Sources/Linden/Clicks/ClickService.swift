import LinkRouting
import Logging

/// Handles visits to links: resolves the link, decides the destination, records the click.
package final class ClickService: Sendable {
    let storage: any Storage
    let links: LinkDirectory
    let publicIDs: PublicIDs
    let country: CountryLookup
    let addressClass: AddressClassLookup
    let addresses: AddressPseudonymizer
    let onFailure: ClickFailurePolicy
    let logger: Logger
    package let clock: WallClock
    let visitors = VisitorCache()
    let refusedURLs: RefusedURLMonitor
    let disk: DiskMonitor

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

    private func hasEnded(_ found: ResolvedLink) -> Bool {
        found.link.hasExpired(at: clock.now(), in: found.app.app.configuration)
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
}
