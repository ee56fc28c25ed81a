import ArgumentParser
import Linden

struct CreditsHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the transactions of a user's credits, newest first.")

    @OptionGroup var user: CreditUserOptions
    @Option(help: "How many transactions to list.")
    var limit: Int64 = 50
    @Option(help: ArgumentHelp("Only transactions older than this one: the next page.", valueName: "transaction"))
    var before: Int64?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard (1...CreditHistoryQuery.largestLength).contains(limit) else {
            throw ValidationError("--limit must be from 1 to \(CreditHistoryQuery.largestLength).")
        }
        try await common.withServices { services in
            let query = try CreditHistoryQuery(
                bucket: try user.bucket.map { try Bucket($0) }, after: before.map(CreditTransaction.ID.init(rawValue:)),
                length: limit)
            let records = try await services.credits.history(
                query, of: user.holder(services), in: services.apps.context(user.app.app).scope)
            Output(format: common.format).list(records.map(\.members), empty: "Nothing has happened to this user's credits.")
        }
    }
}

extension CreditRecord {
    var members: JSONObject {
        let cause = transaction.cause
        return [
            "transaction": .string(String(transaction.id.rawValue)), "date": .string(transaction.id.time.iso8601),
            "kind": .string(transaction.kind.name), "bucket": .string(bucket.name), "amount": .integer(amount),
            "balance": .integer(balanceAfter), "source": .string(cause.source.rawValue), "event": JSON(cause.eventName),
            "rule": JSON(cause.rule.map { String($0.rawValue) }), "referrer": JSON(referrer), "referree": JSON(referree),
            "reverses": JSON(cause.undone.map { String($0.rawValue) }),
        ]
    }
}
