/// The consistency checks of claims, by which a click or a transaction id is used only once.
enum ClaimChecks {
    static let all = [
        Check(
            "claims.clicks",
            "Each claim is of a pending click in the log, and a click matched by its address led one device to the app."
        ) {
            try $0.wrongClickClaims(limit: CheckResult.mostProblems)
        },
        Check("claims.devices", "Each click that named a device is in its app's log, and no session claimed it twice.") {
            try $0.wrongDeviceClicks(limit: CheckResult.mostProblems)
        },
        Check("claims.transactions", "Each transaction id is held by an event that reported it, and each event holds one.") {
            try $0.wrongEventTransactions(limit: CheckResult.mostProblems)
        },
    ]
}

package protocol ClaimAuditReader {
    /// Leaves out claims of clicks that were deleted for their age.
    func wrongClickClaims(limit: Int) throws -> CheckResult
    /// As ``wrongClickClaims(limit:)``.
    func wrongDeviceClicks(limit: Int) throws -> CheckResult
    func wrongEventTransactions(limit: Int) throws -> CheckResult
}
