/// A step of an erasure, for progress reports.
package enum ErasureStep: Sendable {
    /// A search of all tables for one kind of rows.
    case search(PersonalDataKind)
    /// A search for rows that were written since the first search.
    case secondSearch(PersonalDataKind)
    /// The erasure of rows, or of the fields in them that identify the data subject.
    case erasure(rows: Int)
    /// The purge of the database's write-ahead log.
    case log
}

/// A kind of rows about a data subject, in search order.
package enum PersonalDataKind: String, Sendable, CaseIterable {
    case devices, sessions, clicks, messages, referrals, credits
}

extension PersonalData {
    /// The number of rows that an erasure changes or removes, besides what belongs to these.
    var rowCount: Int {
        devices.count + sessions.count + events.count(with: messageEvents) + clicks.count
            + textMessages.count + links.count + identities.count + referrals.count + referralCodes.count
            + heldRewards.count + othersHeldRewards.count + referredIdentities.count + credits.transactions.count
    }
}
