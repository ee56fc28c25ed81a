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

            --repair lists what can be derived again from rows that are there: indexes from tables, balances from their entries, a day's totals \
            from its rows, entries of pending clicks that no click has. --apply does it, and checks again; the server must be stopped. Logs and \
            entries of the ledger are never changed: what they lost is in a backup.

            The exit status is 1 if there is a deviation. A server may run meanwhile, except for --apply.
            """)

    @Option(
        help: ArgumentHelp(
            "The day (UTC) whose totals are compared with their rows, such as 2027-01-31 or yesterday. Default: today.",
            valueName: "date"))
    var day: String?
    @Flag(help: "Show what a repair would change, and change nothing.")
    var repair = false
    @Flag(help: "With --repair: change it.")
    var apply = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if apply, !repair { throw ValidationError("--apply is a part of --repair: give both.") }
    }

    func run() async throws {
        let day = try day.map { try Day(named: $0, option: "--day").number }
        try await common.withServices(isAlone: apply) { services in
            let verification = services.verification
            var checks = try await verification.views(of: verification.checks(day: day))
            var repairs: [RepairResult] = []
            if repair {
                for repair in verification.repairs(of: Set(checks.filter { !$0.isOK }.map(\.name)), day: day) {
                    repairs.append(try await verification.result(of: repair, isApplied: apply))
                }
            }
            let before = checks
            if apply { checks = try await verification.views(of: verification.checks(day: day)) }
            show(before, repairs, after: apply ? checks : nil)
            if !checks.allSatisfy(\.isOK) { throw ExitCode.failure }
        }
    }

    private func show(_ before: [CheckView], _ repairs: [RepairResult], after: [CheckView]?) {
        // What no repair changes, or has changed so that it is right.
        let left = (after ?? before).filter { check in
            !check.isOK && (after != nil || !repairs.contains { $0.changes > 0 && $0.repair.solves(check.name) })
        }
        let output = Output(format: common.format)
        switch common.format {
        case .json:
            var object: JSONObject = ["ok": .bool((after ?? before).allSatisfy(\.isOK)), "checks": .array(before.map(\.json))]
            if repair {
                object["repairs"] = .array(repairs.map { .object($0.view) })
                object["applied"] = .bool(apply)
                object["not_derivable"] = JSON(left.map(\.name))
                if let after { object["checks_after"] = .array(after.map(\.json)) }
            }
            output.show(object)
        case .table:
            output.list(before.map(\.object), empty: "There is nothing to check.")
            guard repair else { return }
            let rows = repairs.map(\.view)
            print()
            output.list(rows, empty: before.allSatisfy(\.isOK) ? "There is nothing to repair." : "Nothing can be derived again.")
            if let after {
                print()
                output.list(after.map(\.object), empty: "")
            } else if repairs.contains(where: { $0.changes > 0 }) {
                Output.say("Nothing was changed. To change it, stop the server and add --apply; a backup before is advisable.")
            }
            if !left.isEmpty {
                Output.say(
                    "Not derivable from other rows: \(left.map(\.name).joined(separator: ", ")). Restore a backup, or keep it as it is."
                )
            }
        }
    }
}

/// A check with its result, as it is printed.
private struct CheckView {
    let name: String
    let object: JSONObject

    var isOK: Bool { object["ok"] == true }
    var json: JSON { .object(object) }
}

extension VerificationService {
    fileprivate func views(of checks: [Check]) async throws -> [CheckView] {
        var views: [CheckView] = []
        let progress = Progress()
        for (number, check) in checks.enumerated() {
            progress.show("Check \(number + 1) of \(checks.count): \(check.name)")
            views.append(CheckView(name: check.name, object: check.view(try await resultOrDamage(of: check))))
        }
        progress.clear()
        return views
    }

    /// Runs a check. If its rows cannot be read, the check has failed.
    private func resultOrDamage(of check: Check) async throws -> CheckResult {
        do {
            return try await result(of: check)
        } catch let failure as Failure where failure.code == .unavailable {
            return CheckResult(examined: 0, problems: [failure.message])
        }
    }

    /// Plans a repair, or runs it. One whose rows cannot be read changes nothing.
    fileprivate func result(of repair: Repair, isApplied: Bool) async throws -> RepairResult {
        do {
            return try await isApplied ? run(repair) : plan(repair)
        } catch let failure as Failure where failure.code == .unavailable {
            return RepairResult(repair, problem: failure.message)
        }
    }
}
