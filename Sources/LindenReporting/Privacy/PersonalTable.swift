/// The tables whose rows refer to a data subject by an id.
package enum PersonalTable: Sendable, CaseIterable {
    case devices, sessions, events, clicks, links, textMessages, identities, referrals, referralCodes, heldRewards,
        creditTransactions
}
