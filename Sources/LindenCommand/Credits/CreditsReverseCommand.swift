import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

struct CreditsReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse", abstract: "Reverse a transaction by one with the opposite entries.")

    @Argument(help: "The transaction's id, as linden credits history shows it.")
    var transaction: Int64
    @Flag(help: "Mark the reversal as one of fraud in the user's history.")
    var fraud = false
    @OptionGroup var app: AppOption
    @OptionGroup var idempotency: IdempotencyOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let entries = try await services.credits.reverse(
                CreditTransaction.ID(rawValue: transaction), isFraud: fraud, try idempotency.call(),
                in: services.apps.scope(of: app.app))
            guard let entry = entries.first else { return }
            Output(format: common.format).show(entry.view(reversing: CreditTransaction.ID(rawValue: transaction)))
        }
    }
}
