import ArgumentParser
import Linden

struct RewardsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a rule by which users earn credits from now on.",
        discussion: """
            The actor is the user who does it, the referrer the user whose link brought the actor. A user cannot be their own referrer, \
            neither as another user of the same phone nor from where their own phone was a moment ago. An install counts once for each \
            device, however often the app is installed again.
            """)

    @OptionGroup var app: AppOption
    @Option(
        help: ArgumentHelp(
            "What is rewarded: install, open, or the name of an event that the app reports; standard names such as PURCHASE in any case.",
            valueName: "name"))
    var event: String
    @Option(help: "Who is rewarded: \(RewardRule.Recipient.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reward: RewardRule.Recipient
    @Option(parsing: .unconditional, help: ArgumentHelp("How many credits.", valueName: "number"))
    var amount: String
    @Option(help: ArgumentHelp("The bucket that the credits go to; default unless given.", valueName: "name"))
    var bucket: String?
    @Option(
        help: ArgumentHelp(
            "Only events whose metadata has this value, such as plan=gold; repeat for several.", valueName: "key=value"))
    var filter: [AppSettingOptions.Assignment] = []
    @Flag(help: "Reward only the first time for each user and each device.")
    var firstOnly = false
    @Option(parsing: .unconditional, help: ArgumentHelp("The most rewards that one user gets on a day (UTC).", valueName: "number"))
    var capPerDay: Int64?
    @Option(parsing: .unconditional, help: ArgumentHelp("The most rewards that one user ever gets.", valueName: "number"))
    var capPerUser: Int64?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("After how many days credits that are not spent expire; never unless given.", valueName: "days"))
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
            let rule = try await services.rewards.add(new, to: services.apps.context(app.app).scope, try idempotency.call())
            Output(format: common.format).show(rule.members)
            if let warning = try await services.rewards.warning(about: rule) { Output.say(warning) }
        }
    }
}

extension RewardRule.Recipient: ExpressibleByArgument {}
