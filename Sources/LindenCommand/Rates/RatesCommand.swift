import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct RatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Import and list the exchange rates with which revenue is converted to an app's currency.",
        subcommands: [RatesImportCommand.self, RatesListCommand.self])
}

struct RatesImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import rates from a CSV file. If a line is invalid, nothing is imported.",
        discussion: """
            Each line is date,currency,rate or currency,rate, such as 2027-01-31,EUR,0.92: the units of the currency per unit of the base \
            currency, valid from that day (UTC) until the next day with a rate. A rate for the same day is replaced. Revenue is converted \
            once, when its event is recorded.
            """)

    @Argument(help: "The CSV file.")
    var file: String
    @Option(help: ArgumentHelp("The base currency of the rates.", valueName: "currency"))
    var base: String = "USD"
    @Option(
        help: ArgumentHelp(
            "The first day of rates without a date, such as 2027-01-31 or yesterday. Default: today.", valueName: "date"))
    var date: String?
    @Flag(help: "Delete all stored rates and keep only those in the file. Asks first.")
    var replace = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard Currency(base) != nil else {
            throw ValidationError("--base must be a code of ISO 4217 such as EUR, not \"\(base)\".")
        }
        do {
            _ = try firstDay()
        } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }

    /// The day of `--date`; nil if it was not given.
    private func firstDay() throws -> Day? { try date.map { try Day(named: $0, option: "--date") } }

    func run() async throws {
        guard let base = Currency(base) else { return }
        try await common.withServices { services in
            let day = try firstDay()?.number ?? services.rates.today
            let rates = try RatesFile.rates(file, base: base, day: day)
            if replace { try confirmation.ask("Replace all rates of all days by the \(rates.count) of \(file)?") }
            do {
                try await services.rates.load(rates, base: base, replacingAll: replace)
            } catch let failure as Failure where failure.code == .conflict {
                throw Failure(.conflict, failure.message + " See --base and --replace.")
            }
            let days = rates.map(\.day)
            Output(format: common.format).show([
                "rates": JSON(rates.count), "base": .string(base.code), "currencies": JSON(Set(rates.map(\.currency)).count),
                "from": JSON(days.min().map { Day(number: $0).text }), "to": JSON(days.max().map { Day(number: $0).text }),
            ])
        }
    }
}

struct RatesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List today's rates.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let rates = try await services.rates.list()
            Output(format: common.format).list(
                rates.map(\.view), empty: "There are no rates yet: linden rates import FILE")
        }
    }
}
