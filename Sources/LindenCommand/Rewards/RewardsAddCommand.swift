import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

struct RewardsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a rule by which users earn credits from now on.",
        discussion: """
            The actor is the user of the event, the referrer the user whose link led to the actor's session. Self-referral is not rewarded, \
            neither as another user of the same phone nor from an address where the referrer's phone just was. An install counts once per \
            device; reinstalls do not count.
            """)

    @OptionGroup var app: AppOption
    @Option(
        help: ArgumentHelp(
            "The rewarded event: install, open, or the name of an event. Standard names such as PURCHASE are not case-sensitive.",
            valueName: "name"))
    var event: String
    @Option(help: "Who is rewarded: \(RewardRule.Recipient.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reward: RewardRule.Recipient
    @Option(parsing: .unconditional, help: ArgumentHelp("How many credits.", valueName: "number"))
    var amount: String
    @Option(help: ArgumentHelp("The bucket that the credits are added to. Default: default.", valueName: "name"))
    var bucket: String?
    @Option(
        help: ArgumentHelp(
            "Only events whose metadata has this value, such as plan=gold; repeat for several.", valueName: "key=value"))
    var filter: [AppSettingOptions.Assignment] = []
    @Flag(help: "Reward only the first time per user and per device.")
    var firstOnly = false
    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum of rewards per user and day (UTC).", valueName: "number"))
    var capPerDay: Int64?
    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum of rewards per user.", valueName: "number"))
    var capPerUser: Int64?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("After how many days unspent credits expire. Default: never.", valueName: "days"))
    var daysValid: Int64?
    @OptionGroup var idempotency: IdempotencyOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var new = NewRewardRule(event: event, recipient: reward, amount: try CreditAmount(Int64(amount)))
            new.bucket = try Bucket(bucket)
            new.filter = JSONObject(filter.map { (key: $0.name, value: .string($0.value)) })
            new.isFirstOnly = firstOnly
            new.caps = RewardCaps(perDay: capPerDay, perUser: capPerUser)
            new.daysValid = daysValid
            let rule = try await services.rewards.add(new, to: services.apps.scope(of: app.app), try idempotency.call())
            Output(format: common.format).show(rule.view)
            if let warning = try await services.rewards.warning(about: rule) { Output.say(warning) }
        }
    }
}

extension RewardRule.Recipient: ExpressibleByArgument {}
