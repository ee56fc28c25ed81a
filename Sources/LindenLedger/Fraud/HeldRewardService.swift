import Linden
import LindenKernel
import Logging
import Synchronization

/// Lists, releases and refuses held rewards.
package final class HeldRewardService: Sendable {
    /// The result of a decision on several rewards.
    package struct Decision: Sendable, Equatable {
        package var decided = 0
        /// Rewards that stay held, because the rule's cap is reached, the balance would become too large or the user would get one bucket
        /// too many.
        package var kept = 0

        package init(decided: Int = 0, kept: Int = 0) {
            self.decided = decided
            self.kept = kept
        }
    }

    /// The number of rewards that one transaction looks at, and of those that one decides. A grant takes some twenty statements, for which
    /// all other writers wait.
    private static let (portion, batch) = (1000, 10)

    private let storage: any LedgerStorage
    private let addresses: AddressPseudonymizer
    private let turns: AnswerTurns<App.ID>
    private let clock: WallClock
    private let logger: Logger
    /// The scopes for which dropped rewards were logged on the day.
    private let logged = Mutex<(day: Int64, scopes: Set<Scope>)>((0, []))

    package init(
        storage: any LedgerStorage, addresses: AddressPseudonymizer, turns: AnswerTurns<App.ID>, clock: WallClock, logger: Logger
    ) {
        self.storage = storage
        self.addresses = addresses
        self.turns = turns
        self.clock = clock
        self.logger = logger
    }

    /// Returns a filter by origin: an address such as `203.0.113.7`, a network such as `203.0.113.0/24`, or a hash as in
    /// ``HeldReward/address``. Addresses of days whose keys are deleted are not found. Fails with `invalid` for a network of another prefix
    /// length than rewards are counted by.
    package func filter(
        rule: RewardRule.ID?, address: String?, network: String?, since: Timestamp?
    ) async throws -> HeldRewardFilter {
        var filter = HeldRewardFilter(rule: rule, since: since)
        if let address {
            filter.addresses =
                if let known = ClientAddress(address) { try await addresses.rewardHashes(ofAddress: known) } else { [address] }
        }
        if let network {
            filter.networks =
                if let known = Network(network) {
                    try await addresses.rewardHashes(ofNetworkOf: known.countedAddress())
                } else {
                    [network]
                }
        }
        return filter
    }

    /// Returns the held rewards that match, oldest first, with their identities and rules.
    package func list(
        _ scope: Scope, _ filter: HeldRewardFilter = HeldRewardFilter(), limit: Int
    ) async throws -> [(held: HeldReward, user: Identity?, rule: RewardRule?)] {
        // With a filter, all that are held may be looked at.
        guard filter.isEmpty else { return try await turns.run(of: scope.app) { try await read(scope, filter, limit: limit) } }
        return try await turns.read(upTo: limit, of: scope.app) { try await read(scope, filter, limit: limit) }
    }

    private func read(
        _ scope: Scope, _ filter: HeldRewardFilter, limit: Int
    ) async throws -> [(held: HeldReward, user: Identity?, rule: RewardRule?)] {
        var found: [(held: HeldReward, user: Identity?, rule: RewardRule?)] = []
        var last: HeldReward.ID?
        while found.count < limit {
            let portion = try await next(scope, filter, after: last, limit: min(limit - found.count, 100))
            found += try await storage.read { reader in
                try portion.held.map { held in
                    (held: held, user: try reader.identity(held.user), rule: try reader.rewardRule(held.rule))
                }
            }
            guard let end = portion.last else { break }
            last = end
        }
        return found
    }

    /// Returns the first rewards that match among the next ones that are held, up to `limit`, and the id up to which was looked; nil for
    /// that if there are no further ones. In portions, between which other reads can run.
    private func next(
        _ scope: Scope, _ filter: HeldRewardFilter, after id: HeldReward.ID?, limit: Int
    ) async throws -> (held: [HeldReward], last: HeldReward.ID?) {
        try Task.checkCancellation()
        let id = id ?? filter.start
        return try await storage.read { reader in
            guard let last = try reader.lastHeldReward(of: scope, after: id, count: Self.portion) else { return ([], nil) }
            let held = try reader.heldRewards(of: scope, filter, after: id, through: last, limit: limit)
            return (held, held.count == limit ? held.last?.id : last)
        }
    }

    /// Returns the number of held rewards that match.
    package func count(_ scope: Scope, _ filter: HeldRewardFilter) async throws -> Int {
        guard !filter.isEmpty else { return try await storage.read { try $0.heldRewardCount(of: scope) } }
        return try await turns.run(of: scope.app) {
            var (count, last) = (0, HeldReward.ID?.none)
            while true {
                let portion = try await next(scope, filter, after: last, limit: Self.portion)
                count += portion.held.count
                guard let end = portion.last else { return count }
                last = end
            }
        }
    }

    /// Returns the days of the last 30 on which rewards were dropped.
    package func dropped(of scope: Scope) async throws -> [DroppedRewards] {
        try await storage.read { try $0.droppedRewards(of: scope, since: $0.now.day - 30) }
    }

    /// Fails with `notFound` unless the reward is held.
    package func check(_ id: HeldReward.ID, of scope: Scope) async throws {
        guard try await storage.read({ try $0.heldReward(id, in: scope) }) != nil else { throw Failure.noSuchHeldReward(id) }
    }

    /// Grants a held reward. Fails with `conflict` if the rule's cap is reached, the balance would become too large or the user would get
    /// one bucket too many.
    package func release(_ id: HeldReward.ID, of scope: Scope) async throws -> CreditRecord? {
        try await storage.write { transaction in
            let held = try HeldReward.taken(id, in: scope, isGranted: true, transaction)
            guard let given = try held.grant(transaction) else {
                throw Failure(
                    .conflict,
                    """
                    The rule's cap is reached for this user, the user's account is full, or the user has credits in \
                    \(Bucket.mostOfUser) other buckets.
                    """)
            }
            return try transaction.creditRecord(of: given, for: held.user)
        }
    }

    /// Refuses a held reward for good. Its uniqueness keys stay taken, but for what a server reports, see ``OverruledReward``.
    package func refuse(_ id: HeldReward.ID, of scope: Scope) async throws {
        try await storage.write { _ = try HeldReward.taken(id, in: scope, isGranted: false, $0) }
    }

    /// Grants all held rewards that match.
    package func releaseAll(_ scope: Scope, _ filter: HeldRewardFilter) async throws -> Decision {
        try await decideAll(scope, filter) { transaction, held in
            guard try held.grant(transaction) != nil else { return false }
            return try transaction.decide(held.id, in: scope, isGranted: true)
        }
    }

    /// Refuses all held rewards that match.
    package func refuseAll(_ scope: Scope, _ filter: HeldRewardFilter) async throws -> Decision {
        try await decideAll(scope, filter) { try $0.decide($1.id, in: scope, isGranted: false) }
    }

    /// - Parameter decide: returns false if the reward stays held.
    private func decideAll(
        _ scope: Scope, _ filter: HeldRewardFilter,
        _ decide: @escaping @Sendable (any LedgerTransaction, HeldReward) throws -> Bool
    ) async throws -> Decision {
        var (decision, last) = (Decision(), HeldReward.ID?.none)
        while true {
            // Not by the transaction that writes, which would keep all other writers waiting for the search.
            let portion = try await next(scope, filter, after: last, limit: Self.batch)
            if !portion.held.isEmpty {
                let (held, decided) = try await storage.write { transaction in
                    // Another call may have decided some meanwhile.
                    let held = try portion.held.compactMap { try transaction.heldReward($0.id, in: scope) }
                    return (held.count, try held.count { try decide(transaction, $0) })
                }
                decision.decided += decided
                decision.kept += held - decided
            }
            guard let end = portion.last else { return decision }
            last = end
        }
    }

    /// Logs each scope whose rewards were dropped today, once a day. To be called about once a second.
    package func report() async throws {
        let today = clock.now().day
        let dropped = try await storage.read { try $0.droppedRewards(of: nil, since: today) }
        let new = logged.withLock { logged in
            if logged.day != today { logged = (today, []) }
            return dropped.filter { logged.scopes.insert($0.scope).inserted }
        }
        for day in new {
            logger.warning(
                "Rewards are dropped: today's maximum of held rewards is reached.",
                metadata: [
                    "app": "\(day.scope.app)", "mode": "\(day.scope.mode.name)", "limit": "\(HeldReward.mostPerDay)",
                ])
        }
    }
}

extension Network {
    /// Returns the network's first address. Fails with `invalid` unless it is a /24 of IPv4 or a /48 of IPv6.
    fileprivate func countedAddress() throws(Failure) -> ClientAddress {
        let counted = address.isIPv6 ? 48 : 24
        guard prefix == counted else {
            throw Failure.invalid("The network must be a /24 of IPv4 or a /48 of IPv6, not a /\(prefix).", at: "network")
        }
        return address
    }
}

extension HeldReward {
    /// Marks a held reward as decided and returns it. Fails with `notFound` if it is not held.
    fileprivate static func taken(
        _ id: ID, in scope: Scope, isGranted: Bool, _ transaction: any HeldRewardRepository
    ) throws -> HeldReward {
        guard let held = try transaction.heldReward(id, in: scope),
            try transaction.decide(id, in: scope, isGranted: isGranted)
        else {
            throw Failure.noSuchHeldReward(id)
        }
        return held
    }

    /// Grants the reward. Returns nil and grants nothing as ``RewardGrants/give(_:)`` does.
    fileprivate func grant(_ transaction: any GrantingTransaction) throws -> CreditTransaction.ID? {
        guard let rule = try transaction.rewardRule(self.rule) else { throw Failure.noSuchHeldReward(id) }
        // The uniqueness keys were taken when the reward was held.
        return try RewardGrants(transaction: transaction).give(
            EarnedReward(rule: rule, user: user, cause: cause, claims: [], first: nil))
    }
}

extension Failure {
    fileprivate static func noSuchHeldReward(_ id: HeldReward.ID) -> Failure {
        .notFound("No reward \(id) of the app is held back.")
    }
}
