import Linden
import LindenKernel
import LindenLedger
import LindenServices
import SQLiteStorage

/// Fills a database and then verifies its ledger.
struct LedgerRun {
    let transactions: Int
    let users: Int
    let callers: Int

    func measure(in path: String) async throws -> LedgerReport {
        let storage = try SQLiteStorage(path: path, options: SQLiteOptions(checkpoints: true, creates: true))
        do {
            let services = Services(
                storage: storage, installationKey: try await storage.installationKey(random: .system),
                baseURL: try BaseURL("http://127.0.0.1"))
            let scope = try await services.apps.create(NewApp(name: "Benchmark")).live.key.scope
            let start = ContinuousClock.now
            try await fill(services.credits, scope)
            let filled = ContinuousClock.now - start
            var checks: [LedgerReport.Timing] = []
            for check in services.verification.checks() {
                let start = ContinuousClock.now
                let result = try await services.verification.result(of: check)
                checks.append(
                    .init(
                        name: check.name, examined: result.examined, seconds: (ContinuousClock.now - start).inSeconds,
                        problems: result.problems.count))
            }
            await storage.shutdown()
            return LedgerReport(transactions: transactions, filling: filled.inSeconds, checks: checks)
        } catch {
            await storage.shutdown()
            throw error
        }
    }

    /// Writes the transactions in rounds of one per user: in every fourth round a grant of four credits, in the others a redemption of one.
    /// Each call waits for its commit.
    private func fill(_ credits: CreditService, _ scope: Scope) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in stride(from: caller, to: transactions, by: callers) {
                        let holder = AccountReference.named("user-\(number % users)")
                        let call = try CreditCall(idempotencyKey: "call-\(number)")
                        if number < users || number / users % 4 == 0 {
                            _ = try await credits.grant(
                                CreditGrant(holder: holder, amount: try CreditAmount(4)), RequestedCause(.server), call, in: scope)
                        } else {
                            _ = try await credits.redeem(
                                CreditWithdrawal(holder: holder, amount: try CreditAmount(1)), RequestedCause(.server), call,
                                in: scope)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(wholeMilliseconds) / 1000 }
}
