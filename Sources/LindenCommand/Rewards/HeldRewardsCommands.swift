import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

struct RewardsHeldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "List held rewards, oldest first: those with fraud signals, or above a limit.",
        discussion: """
            Rewards above the limits fraud.rewards_per_address, fraud.rewards_per_network and fraud.rewards_per_day are held, since clients can \
            fake installs and events, and so are rewards for users who were referred above them. Fraud signals are off by default: fraud.installs_per_address and fraud.installs_per_model (new devices \
            within a day), fraud.seconds_after_click, fraud.emulators and fraud.self_referral; see linden apps settings.

            ADDRESS and NETWORK are those of the call that earned the reward, hashed with a key of the day: equal hashes are the same address \
            or network. At most 10,000 rewards are held per day, of which 100 from one address and 300 from one network; the number of further \
            ones is shown below the list.
            """)

    @OptionGroup var app: AppOption
    @OptionGroup var filter: HeldRewardFilterOptions
    @Option(help: "How many to list.")
    var limit = 50
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
    }

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            let held = try await services.heldRewards.list(scope, filter.filter(services.heldRewards), limit: limit)
            let rows = held.map { held, user, rule in held.view(recipient: user, rule: rule, services.publicIDs) }
            Output(format: common.format).list(rows, empty: filter.isEmpty ? "No reward is held back." : "No held reward matches.")
            for day in try await services.heldRewards.dropped(of: scope) {
                Output.say(
                    "\(day.dropped) more rewards were not held on \(Day(number: day.day).text): "
                        + "\(HeldReward.mostPerDay) are held a day, 100 from one address and 300 from one network.")
            }
        }
    }
}

struct RewardsReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Grant a held reward, or all that match.")

    @OptionGroup var selection: HeldRewardSelection
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: selection.app.app)
            let output = Output(format: common.format)
            if let id = selection.id {
                guard let record = try await services.heldRewards.release(HeldReward.ID(rawValue: id), of: scope) else { return }
                return output.show(record.view)
            }
            let filter = try await selection.confirmed(scope, services.heldRewards) { count in
                try confirmation.ask("Grant \(count) held rewards?")
            }
            let decision = try await services.heldRewards.releaseAll(scope, filter)
            output.show(
                ["released": .integer(Int64(decision.decided)), "kept": .integer(Int64(decision.kept))],
                warnings: decision.kept == 0
                    ? []
                    : [
                        """
                        \(decision.kept) stay held: the rule's cap is reached for the user, the user's account is full, or the user has \
                        \(Bucket.mostOfUser) other buckets.
                        """
                    ])
        }
    }
}

struct RewardsRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Refuse a held reward, or all that match. They are not granted, unless a server reports the event.")

    @OptionGroup var selection: HeldRewardSelection
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: selection.app.app)
            let output = Output(format: common.format)
            if let id = selection.id {
                try await services.heldRewards.check(HeldReward.ID(rawValue: id), of: scope)
                try confirmation.ask("Refuse the reward \(id)?")
                try await services.heldRewards.refuse(HeldReward.ID(rawValue: id), of: scope)
                return output.show(["id": .string(String(id)), "refused": true])
            }
            let filter = try await selection.confirmed(scope, services.heldRewards) { count in
                try confirmation.ask("Refuse \(count) held rewards?")
            }
            let decision = try await services.heldRewards.refuseAll(scope, filter)
            output.show(["refused": .integer(Int64(decision.decided))])
        }
    }
}

/// A filter of held rewards.
struct HeldRewardFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only rewards of this rule.", valueName: "id"))
    var rule: Int64?
    @Option(
        help: """
            Only rewards earned from an address such as 203.0.113.7, while the key of that day exists (privacy.key_days), or from a hash that \
            linden rewards held shows.
            """)
    var address: String?
    @Option(help: "Only rewards earned from a network such as 203.0.113.0/24 or 2001:db8:1::/48, or from its hash.")
    var network: String?
    @Option(help: ArgumentHelp("Only rewards earned since a day or time (UTC), or in a period such as 7d.", valueName: "time"))
    var since: String?

    var isEmpty: Bool { rule == nil && address == nil && network == nil && since == nil }

    func filter(_ heldRewards: HeldRewardService) async throws -> HeldRewardFilter {
        try await heldRewards.filter(
            rule: rule.map { RewardRule.ID(rawValue: $0) }, address: address, network: network,
            since: since.map { try DateExpression("--since", $0, now: WallClock.system.now()).start })
    }
}

/// The held rewards that a command decides on: one by its id, or all that match a filter.
struct HeldRewardSelection: ParsableArguments {
    @Argument(help: "The held reward's id, as linden rewards held shows it.")
    var id: Int64?
    @Flag(help: "Decide on all held rewards, or on those that match the options below.")
    var all = false
    @OptionGroup var filter: HeldRewardFilterOptions
    @OptionGroup var app: AppOption

    func validate() throws {
        guard (id == nil) == all else { throw ValidationError("Give the id of one held reward, or --all.") }
        guard all || filter.isEmpty else { throw ValidationError("--rule, --address, --network and --since require --all.") }
    }

    /// Returns the filter once the operator has confirmed. Does not ask if no reward matches.
    fileprivate func confirmed(
        _ scope: Scope, _ heldRewards: HeldRewardService, _ ask: (_ count: Int) throws -> Void
    ) async throws -> HeldRewardFilter {
        let filter = try await filter.filter(heldRewards)
        let count = try await heldRewards.count(scope, filter)
        if count > 0 { try ask(count) }
        return filter
    }
}
