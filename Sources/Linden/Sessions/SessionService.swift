import LinkRouting

/// Starts and closes sessions. One transaction gathers the evidence, decides and writes.
package struct SessionService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressPseudonymizer
    private let exchangesAdTokens: Bool
    private let rules: AttributionRules
    private let clock: WallClock

    package init(
        storage: any Storage, links: LinkDirectory, baseURL: BaseURL, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressPseudonymizer, exchangesAdTokens: Bool,
        rules: AttributionRules,
        clock: WallClock
    ) {
        self.rules = rules
        self.exchangesAdTokens = exchangesAdTokens
        self.addressClass = addressClass
        self.addresses = addresses
        self.clock = clock
        self.country = country
        self.storage = storage
        self.links = links
        self.baseURL = baseURL
        self.publicIDs = publicIDs
    }

    package func start(_ start: SessionStart) async throws -> StartedSession {
        let found = try await openedLink(start)
        let beginning = SessionContext(
            start: start, opened: found?.link, openedQuery: found?.clickedQuery, openedVia: found?.via,
            openedContinuesClick: found?.continuesClick(at: clock.now()) ?? false,
            clicked: try await clickedLink(start),
            country: found == nil ? nil : country(start.address),
            address: start.isTrackingDisabled ? StoredAddress([]) : try await addresses.kept(start.address),
            addressClass: addressClass(start.address), site: start.isTrackingDisabled ? nil : addresses.site(of: start.address),
            // A server authenticated with the secret.
            rewardOrigin: start.isTrackingDisabled || start.caller == .server
                ? nil : try await addresses.rewardOrigin(start.address),
            exchangesAdTokens: exchangesAdTokens, rules: rules, baseURL: baseURL, publicIDs: publicIDs)
        var session = try await storage.write { transaction in
            if start.isTrackingDisabled { return try transaction.begin(beginning) }
            return try transaction.idempotently(start.requestKey, in: start.scope, earlier: transaction.startedSession) {
                let session = try transaction.begin(beginning)
                return (session, session.id)
            }
        }
        // After the transaction, so that route patterns are not matched while other writers wait. A page opens nothing in the app.
        if start.caller != .browser { session.data = start.app.namingRoute(in: session.data, on: start.description.platform) }
        return session
    }

    package func close(_ id: Session.ID, in scope: Scope) async throws {
        try await storage.write { try $0.closeSession(id, in: scope, at: $0.now) }
    }

    private func openedLink(_ start: SessionStart) async throws -> ResolvedLink? {
        guard let url = start.opening.url, let found = try await links.link(url: url), found.link.scope == start.scope else {
            return nil
        }
        return found
    }

    private func clickedLink(_ start: SessionStart) async throws -> Link? {
        guard let id = start.opening.click else { return nil }
        return try await storage.read { reader in
            guard let click = try reader.click(id), click.scope == start.scope else { return nil }
            return try reader.link(of: click)
        }
    }
}
