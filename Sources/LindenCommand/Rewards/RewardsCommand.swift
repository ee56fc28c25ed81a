import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

struct RewardsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewards",
        abstract: "Manage the rules by which users earn credits, and held rewards.",
        subcommands: [
            RewardsAddCommand.self, RewardsListCommand.self, RewardsPauseCommand.self, RewardsResumeCommand.self,
            RewardsRemoveCommand.self, RewardsHeldCommand.self, RewardsReleaseCommand.self, RewardsRefuseCommand.self,
        ])
}

struct RewardsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's rules, oldest first.")

    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            // All of them: an app may have a thousand a side.
            let rules = try await services.rewards.list(services.apps.scope(of: app.app), limit: 1000).rules
            Output(format: common.format).list(rules.map(\.view), empty: "The app has no rules: linden rewards add --help")
        }
    }
}

struct RewardsPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop a rule until it is resumed.")

    @OptionGroup var rule: RewardRuleReference
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await rule.set(isPaused: true, common)
    }
}

struct RewardsResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Resume a paused rule.")

    @OptionGroup var rule: RewardRuleReference
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await rule.set(isPaused: false, common)
    }
}

struct RewardsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a rule. Users keep the credits that they have earned.",
        discussion: """
            If the same rule is added again, its first times and caps start from zero, so that all users can earn it again. To stop a rule \
            temporarily, use linden rewards pause.
            """)

    @OptionGroup var rule: RewardRuleReference
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: rule.app.app)
            let found = try await services.rewards.rule(RewardRule.ID(rawValue: rule.id), of: scope)
            try confirmation.ask(
                "A rule that is added again counts its caps and first times from zero; linden rewards pause only stops it. Remove the rule "
                    + "\(rule.id), which rewards \(found.event)?")
            try await services.rewards.remove(found.id, from: scope)
            Output(format: common.format).show(["id": .string(String(rule.id)), "removed": true])
        }
    }
}

/// The reward rule that a command applies to.
struct RewardRuleReference: ParsableArguments {
    @Argument(help: "The rule's id, as linden rewards list shows it.")
    var id: Int64
    @OptionGroup var app: AppOption

    fileprivate func set(isPaused: Bool, _ common: CommonOptions) async throws {
        try await common.withServices { services in
            try await services.rewards.set(
                RewardRule.ID(rawValue: id), of: services.apps.scope(of: app.app), isPaused: isPaused)
            Output(format: common.format).show(["id": .string(String(id)), "paused": .bool(isPaused)])
        }
    }
}
