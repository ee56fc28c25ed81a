import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

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
                query, of: user.holder(services.publicIDs), in: services.apps.scope(of: user.app.app))
            Output(format: common.format).list(records.map(\.view), empty: "Nothing has happened to this user's credits.")
        }
    }
}
