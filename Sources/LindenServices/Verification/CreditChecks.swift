/// The consistency checks of the credit ledger.
package enum CreditChecks {
    package static let all = [
        Check("credits.transactions", "The entries of each transaction sum to zero in each bucket.") {
            try $0.unbalancedCreditTransactions(limit: CheckResult.mostProblems)
        },
        Check("credits.balances", "Each balance is the sum of its entries.") {
            try $0.wrongCreditBalances(limit: CheckResult.mostProblems)
        },
        Check(
            "credits.order", "In the order of their ids, each entry leaves the balance that the next one finds, never below zero."
        ) {
            try $0.brokenCreditOrder(limit: CheckResult.mostProblems)
        },
        Check("credits.expiring", "No more credits wait for their end than there are.") {
            try $0.wrongExpiringCredits(limit: CheckResult.mostProblems)
        },
    ]
}

package protocol CreditAuditReader {
    func unbalancedCreditTransactions(limit: Int) throws -> CheckResult
    func wrongCreditBalances(limit: Int) throws -> CheckResult
    func brokenCreditOrder(limit: Int) throws -> CheckResult
    func wrongExpiringCredits(limit: Int) throws -> CheckResult
}
