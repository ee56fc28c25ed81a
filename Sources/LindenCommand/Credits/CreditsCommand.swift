import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

struct CreditsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credits",
        abstract: "Show, grant, redeem and reverse users' credits.",
        subcommands: [
            CreditsBalanceCommand.self, CreditsGrantCommand.self, CreditsRedeemCommand.self, CreditsHistoryCommand.self,
            CreditsReverseCommand.self,
        ])
}

/// The identity whose credits a command reads or changes.
struct CreditUserOptions: ParsableArguments {
    @Argument(help: "The user: your own id, the identity_id of Linden (identity_…), or that of the SDK.")
    var identity: String
    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("The bucket of the credits. Default: default.", valueName: "name"))
    var bucket: String?

    func holder(_ publicIDs: PublicIDs) -> AccountReference {
        .reference(identity, id: publicIDs.id(named: identity))
    }
}

/// The idempotency key of a command that writes.
struct IdempotencyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("An idempotency key: calls with the same key take effect once.", valueName: "key"))
    var idempotencyKey: String?

    func call() throws -> CreditCall { try CreditCall(idempotencyKey: idempotencyKey) }
}

/// A number of credits as an argument.
struct CreditAmountArgument: ParsableArguments {
    /// Includes unrecognized options, so that a negative number is not taken for one; ``validate()`` rejects those that are not numbers.
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("How many credits.", valueName: "amount"))
    var amounts: [String]

    func validate() throws {
        if let option = amounts.first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        guard amounts.count == 1 else { throw ValidationError("Give one amount, not \(amounts.joined(separator: " and ")).") }
    }

    func checked() throws -> CreditAmount { try CreditAmount(Int64(amounts[0])) }
}

struct CreditsBalanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "balance", abstract: "Show a user's balance in each bucket.")

    @OptionGroup var user: CreditUserOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: user.app.app)
            let holder = user.holder(services.publicIDs)
            var balances = JSONObject()
            if let name = user.bucket {
                let bucket = try Bucket(name)
                balances[bucket.name] = .integer(try await services.credits.balance(of: holder, in: bucket, scope))
            } else {
                for (bucket, balance) in try await services.credits.balances(of: holder, in: scope) {
                    balances[bucket.name] = .integer(balance)
                }
            }
            Output(format: common.format).show(balances)
        }
    }
}

struct CreditsGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Grant credits to a user. An unknown id creates a new user.")

    @OptionGroup var user: CreditUserOptions
    @OptionGroup var amount: CreditAmountArgument
    @Option(
        help: ArgumentHelp(
            "When unspent credits expire, such as 2027-01-31T18:00:00Z. Default: never.", valueName: "time"))
    var expiresAt: String?
    @OptionGroup var idempotency: IdempotencyOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let end = try expiresAt.map { text in
            guard let time = Timestamp(iso8601: text) else {
                throw ValidationError("--expires-at must be a time in ISO 8601 with its zone, such as 2027-01-31T18:00:00Z.")
            }
            return time
        }
        try await common.withServices { services in
            let grant = CreditGrant(
                holder: user.holder(services.publicIDs), amount: try amount.checked(), bucket: try Bucket(user.bucket),
                expiresAt: end)
            let receipt = try await services.credits.grantWithReceipt(
                grant, RequestedCause(.operator), try idempotency.call(), in: services.apps.scope(of: user.app.app))
            Output(format: common.format).show(receipt.record.view)
        }
    }
}

struct CreditsRedeemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redeem", abstract: "Redeem a user's credits. Refused if the balance is lower.")

    @OptionGroup var user: CreditUserOptions
    @OptionGroup var amount: CreditAmountArgument
    @OptionGroup var idempotency: IdempotencyOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let redemption = CreditWithdrawal(
                holder: user.holder(services.publicIDs), amount: try amount.checked(), bucket: try Bucket(user.bucket))
            let receipt = try await services.credits.redeemWithReceipt(
                redemption, RequestedCause(.operator), try idempotency.call(), in: services.apps.scope(of: user.app.app))
            Output(format: common.format).show(receipt.record.view)
        }
    }
}
