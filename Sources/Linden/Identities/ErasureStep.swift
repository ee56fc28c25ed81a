/// What an erasure is about to do.
package enum ErasureStep: Sendable {
    /// To look all tables through for one kind of rows.
    case search(PersonalDataKind)
    /// To look for what came in since the first search.
    case secondSearch(PersonalDataKind)
    /// To erase rows, or what tells in them whose they are.
    case erasure(rows: Int)
    /// To empty the database's log of earlier writes.
    case log
}

/// A kind of rows about a person, in the order in which they are looked for.
package enum PersonalDataKind: String, Sendable, CaseIterable {
    case devices, sessions, clicks, messages, deviceClicks, referrals, credits, requests
}

extension PersonalData {
    /// How many rows an erasure changes or removes.
    var rowCount: Int {
        devices.count + sessions.count + events.union(messageEvents).count + clicks.count + deviceClicks.count
            + textMessages.count + links.count + identities.count + requests.count + referrals.count + referralCodes.count
            + heldRewards.count + othersHeldRewards.count + referredIdentities.count + credits.transactions.count
    }
}
