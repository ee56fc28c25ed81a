/// The tables whose rows say of themselves, by an id, whom they are about.
package enum PersonalTable: Sendable, CaseIterable {
    case devices, sessions, events, clicks, links, textMessages, identities, referrals, referralCodes, heldRewards,
        creditTransactions
}

/// What a row says of whom it is about.
package struct PersonalRow: Sendable {
    package let id: Int64
    package let scope: Scope
    package var identity: Identity.ID?
    /// Who brought that one or was brought by him.
    package var otherIdentity: Identity.ID?
    /// A device, or the browser of a click.
    package var device: Device.ID?
    /// The click that a session was given or that last led a device into the app; of a click, what gave the link its own address.
    package var click: Click.ID?
    /// A session's that an event or a referral is of, or null.
    package var session: Session.ID?
    package var phone: PhoneNumber?
    /// Of an event that tells of a text message: the click, by its public id, or the link whose page asked for it.
    package var page: String?
    /// Of a click whose address may have named a device.
    package var query: String?

    package init(id: Int64, scope: Scope) {
        self.id = id
        self.scope = scope
    }
}

package protocol PersonalRowReader {
    /// The next rows of a table in the order of their ids. Nobody but whoever shows or erases a person asks for rows by person, so no index
    /// is kept for it, and the whole table is read.
    func rows(of table: PersonalTable, after id: Int64, limit: Int) throws -> [PersonalRow]
    /// The next calls that are remembered against retries, in the order of their keys, with the row each has made.
    func requests(of scope: Scope, after key: String, limit: Int) throws -> [(key: String, row: Int64)]
    /// The browsers that are known to be beside a device's app.
    func browsers(beside device: Device.ID, in scope: Scope) throws -> [Browser.ID]
    /// Where a device was lately, in the form in which it is kept.
    func addresses(of device: Device.ID, in scope: Scope) throws -> [String]
    /// The next clicks that named a device, in the order of the names and clicks.
    func deviceClicks(of scope: Scope, after last: DeviceClick?, limit: Int) throws -> [DeviceClick]
}

/// A click whose address named a device.
package struct DeviceClick: Sendable, Hashable {
    package let key: String
    package let click: Click.ID

    package init(key: String, click: Click.ID) {
        self.key = key
        self.click = click
    }
}

package protocol PersonalRowRepository: PersonalRowReader {
    /// Removes what rows hold of a person. Most go; a click stays in the log without all that could tell whose it was, a link without its
    /// owner, a transaction of credits in the books, see ``PersonalCreditRepository``. What counters have not counted yet is counted
    /// first.
    func erase(_ table: PersonalTable, _ ids: [Int64]) throws
    func eraseRequests(_ keys: [String], in scope: Scope) throws
    func eraseDeviceClicks(_ clicks: [DeviceClick], in scope: Scope) throws
    /// Forgets browsers and where a device was.
    func erase(browsers: [Browser.ID], addresses: [String], of device: Device.ID, in scope: Scope) throws
    /// Forgets who brought a user.
    func forgetReferrer(of identity: Identity.ID) throws
    /// Forgets in a held reward of somebody else who brought him or whom he brought.
    func forgetParty(of held: HeldReward.ID) throws
}
