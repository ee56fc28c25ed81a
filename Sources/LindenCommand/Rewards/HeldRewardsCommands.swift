import ArgumentParser
import Linden

struct RewardsHeldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "List the rewards that are held back, oldest first: on suspicion of fraud, or because there were many.",
        discussion: """
            Rewards beyond the limits fraud.rewards_per_address, fraud.rewards_per_network and fraud.rewards_per_day are held back, since anyone \
            can make up installs and events. The app's settings say what else is suspicious: fraud.installs_per_address and fraud.installs_per_model (new devices within a day), \
            fraud.seconds_after_click, fraud.emulators and fraud.self_referral. These are off at first; see linden apps settings.
            """)

    @OptionGroup var app: AppOption
    @Option(help: "How many to list.")
    var limit = 50
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
    }

    func run() async throws {
        try await common.withServices { services in
            let held = try await services.heldRewards.list(services.apps.context(app.app).scope, limit: limit)
            let rows = held.map { held, user, rule -> JSONObject in
                [
                    "id": .string(String(held.id.rawValue)), "date": .string(held.id.time.iso8601),
                    "identity": JSON(user?.developerIdentity ?? services.publicIDs.string(for: held.user)),
                    "event": JSON(held.cause.eventName), "rule": .string(String(held.rule.rawValue)),
                    "amount": rule.map { .integer($0.amount.value) } ?? .null, "bucket": JSON(rule?.bucket.name),
                    "reasons": JSON(held.reasons),
                ]
            }
            Output(format: common.format).list(rows, empty: "No reward is held back.")
        }
    }
}

struct RewardsReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Give a reward that was held back to its user.")

    @OptionGroup var held: HeldRewardReference
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.context(held.app.app).scope
            guard let record = try await services.heldRewards.release(HeldReward.ID(rawValue: held.id), of: scope) else { return }
            Output(format: common.format).show(record.members)
        }
    }
}

struct RewardsRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a reward that was held back: its user never gets it.")

    @OptionGroup var held: HeldRewardReference
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.context(held.app.app).scope
            let id = HeldReward.ID(rawValue: held.id)
            try await services.heldRewards.check(id, of: scope)
            try confirmation.ask("Refuse the reward \(held.id) for good?")
            try await services.heldRewards.refuse(id, of: scope)
            Output(format: common.format).show(["id": .string(String(held.id)), "refused": true])
        }
    }
}

/// The held reward a command is about.
struct HeldRewardReference: ParsableArguments {
    @Argument(help: "The held reward's id, as linden rewards held shows it.")
    var id: Int64
    @OptionGroup var app: AppOption
}
