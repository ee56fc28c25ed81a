import ArgumentParser
import LindenAPI
import LindenKernel
import LindenServices

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the stored data: pages and references, credits, the audit log, claims, a day's totals.",
        discussion: """
            The checks, in this order. storage: every page is well formed, and every row that a foreign key names is there. credits: the \
            entries of each transaction, the balances and what expires agree. audit: the chain of hashes has no gap and no altered entry. claims: \
            each claim of a click, of a device and of a transaction id refers to a row that is there, and is held once. rollups and days: the \
            totals of a day are what its rows add up to, for apps, devices, links and content.

            The exit status is 1 if there is a deviation. A server may run meanwhile.
            """)

    @Option(
        help: ArgumentHelp(
            "The day (UTC) whose totals are compared with their rows, such as 2027-01-31 or yesterday. Default: today.",
            valueName: "date"))
    var day: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let day = try day.map { try Day(named: $0, option: "--day").number }
        try await common.withServices { services in
            var checks: [JSONObject] = []
            let all = services.verification.checks(day: day)
            let progress = Progress()
            for (number, check) in all.enumerated() {
                progress.show("Check \(number + 1) of \(all.count): \(check.name)")
                checks.append(check.view(try await services.verification.resultOrDamage(of: check)))
            }
            progress.clear()
            let isOK = checks.allSatisfy { $0["ok"] == true }
            switch common.format {
            case .json:
                Output(format: .json).show(["ok": .bool(isOK), "checks": .array(checks.map(JSON.object))])
            case .table: Output(format: .table).list(checks, empty: "There is nothing to check.")
            }
            if !isOK { throw ExitCode.failure }
        }
    }
}

extension VerificationService {
    /// Runs a check. If its rows cannot be read, the check has failed.
    fileprivate func resultOrDamage(of check: Check) async throws -> CheckResult {
        do {
            return try await result(of: check)
        } catch let failure as Failure where failure.code == .unavailable {
            return CheckResult(examined: 0, problems: [failure.message])
        }
    }
}
