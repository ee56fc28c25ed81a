import LindenKernel
import LinkRouting

/// Starts and closes sessions. A reader gathers the evidence and decides; one transaction claims the click and writes.
package struct SessionService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let country: CountryLookup
    private let addressClass: AddressClassLookup
    private let addresses: AddressPseudonymizer
    private let exchangesAdToken: @Sendable (SessionStart) -> Bool
    private let rules: AttributionRules
    private let clock: WallClock

    /// - Parameter exchangesAdToken: whether the token of one more session is exchanged with Apple.
    package init(
        storage: any Storage, links: LinkDirectory, baseURL: BaseURL, publicIDs: PublicIDs, country: @escaping CountryLookup,
        addressClass: @escaping AddressClassLookup, addresses: AddressPseudonymizer,
        exchangesAdToken: @escaping @Sendable (SessionStart) -> Bool, rules: AttributionRules, clock: WallClock
    ) {
        self.rules = rules
        self.exchangesAdToken = exchangesAdToken
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
        let context = SessionContext(
            start: start, opened: found?.link, foreignURL: found == nil ? try await links.foreignURL(start.opening.url) : nil,
            openedQuery: found?.clickedQuery, openedVia: found?.via,
            openedContinuesClick: found?.continuesClick(at: clock.now()) ?? false,
            country: found == nil ? nil : country(start.address),
            address: start.isTrackingDisabled ? StoredAddress([]) : try await addresses.kept(start.address),
            addressClass: addressClass(start.address), site: start.isTrackingDisabled ? nil : addresses.site(of: start.address),
            // A server authenticated with the secret.
            rewardOrigin: start.isTrackingDisabled || start.caller == .server
                ? nil : try await addresses.rewardOrigin(start.address),
            exchangesAdToken: start.appleAttributionToken != nil && exchangesAdToken(start), rules: rules,
            baseURL: baseURL, publicIDs: publicIDs)
        var session = try await begin(context).withData()
        // After the transaction, so that route patterns are not matched while other writers wait. A page opens nothing in the app.
        if start.caller != .browser { session.data = start.app.namingRoute(in: session.data, on: start.description.platform) }
        return session
    }

    /// Finds the attribution and starts the session with it. If another session claims the click in between, decides again.
    private func begin(_ context: SessionContext) async throws -> SessionResult {
        for _ in 0..<Self.mostDecisions {
            do {
                return try await storage.write(after: { try $0.attribution(of: context) }) { transaction, attribution in
                    try Self.write(context, attribution, transaction)
                }
            } catch is OutdatedAttribution {
                continue
            }
        }
        throw Failure.unavailable("The clicks of this address are being claimed by others; please try again.")
    }

    /// Each repetition follows the loss of a click or a link, which the next evidence no longer contains.
    private static let mostDecisions = 64

    /// Runs ``SessionStarter/begin()``, at most once per request key: a retry gets the session that the first try recorded.
    private static func write(
        _ context: SessionContext, _ attribution: Attribution, _ transaction: any Transaction
    ) throws -> SessionResult {
        let start = context.start
        let starter = SessionStarter(transaction: transaction, context: context, attribution: attribution)
        if start.isTrackingDisabled { return SessionResult(session: try starter.begin()) }
        return try transaction.idempotently(start.requestKey, in: start.scope, earlier: starter.recordedSession) {
            let session = try starter.begin()
            return (SessionResult(session: session), session.id)
        }
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
}
