import LindenKernel

/// The changes of the ledger that sessions, events and logins cause, as part of their transactions. LindenLedger implements them.
package protocol LedgerRecorder {
    /// Records the referral and the fraud signals of a session, and applies the reward rules to it. To be called for every session that was
    /// written. A referral beyond the day's limits of its origin is recorded as one whose rewards are held.
    ///
    /// - Parameters:
    ///   - addresses: the address where the session began, in all stored forms under which devices may be recorded there, see
    ///     ``StoredAddress``.
    ///   - origin: the origin of the call, for limits; nil for a server with the secret, which has no limits.
    func reward(_ session: Session, from addresses: [String], _ origin: RewardOrigin?) throws
    /// Applies the reward rules to an event. To be called for every event that was written.
    ///
    /// - Parameter earlier: the body of the event when the rules were applied to it before; nil if they were not. A rule whose filter it
    ///   passes is not applied again.
    func reward(_ event: Event, _ origin: RewardOrigin?, after earlier: JSONObject?) throws
    /// Moves the credits of an anonymous identity to a known one, if the app allows it, and its referral on the device that logs in.
    func merge(_ anonymous: Identity, into known: Identity, on device: Device.ID?) throws
}

/// A transaction that hands sessions, events and logins over to the ledger.
package protocol LedgerAccess {
    /// The ledger, which writes in this transaction.
    var ledgerRecorder: any LedgerRecorder { get }
}
