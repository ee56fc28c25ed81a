import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LinkRouting

/// The references of a row to a data subject.
package struct PersonalRow: Sendable {
    package let id: Int64
    package let scope: Scope
    package var identity: Identity.ID?
    /// The row's second identity, which referred the first or was referred by it.
    package var otherIdentity: Identity.ID?
    /// A device; for a click, its browser.
    package var device: Device.ID?
    /// For a session, the click that it is attributed to; for a click, the click or text message that gave the link its own address.
    package var click: Click.ID?
    /// The session of an event or a referral; for a session, itself.
    package var session: Session.ID?
    package var phone: PhoneNumber?
    /// For an event about a text message: the public id of the click, or the link, whose page requested it.
    package var page: String?
    /// The advertising ids that a click's query names, in lower case.
    package private(set) var namedDevices: [String] = []

    package init(id: Int64, scope: Scope) {
        self.id = id
        self.scope = scope
    }

    /// Keeps only what the search compares: a page of rows with long queries would take much memory.
    package mutating func setDevices(namedBy query: String?) {
        guard let query else { return }
        let items = URLParts.queryItems(query).filter { item in
            let name = item.name.lowercased()
            return item.value.utf8.count <= 128 && (name.hasSuffix("idfa") || name.hasSuffix("aaid"))
        }
        namedDevices = items.prefix(8).map { $0.value.lowercased() }
    }
}

package protocol PersonalRowReader {
    /// Reads the next `limit` rows of a table, by id, and returns those of a scope, with the id of the last row that was read; nil at the
    /// end of the table. Rows of ``PersonalTable/referrals`` are returned of all scopes. The whole table is read: few
    /// tables have an index by data subject, since only exports and erasures search all of them.
    func rows(
        of table: PersonalTable, in scope: Scope, after id: Int64, limit: Int
    ) throws -> (rows: [PersonalRow], last: Int64?)
    /// Reads the next `limit` sessions, by id, and returns those of a scope whose explanation or evidence names a sought click, with
    /// the id of the last session that was read; nil at the end of the table.
    func sessions(
        naming isSought: (Click.ID) -> Bool, in scope: Scope, after id: Int64, limit: Int
    ) throws -> (sessions: [Session.ID], last: Int64?)
    /// The next calls remembered against retries, by key, with the row that each created.
    func requests(of scope: Scope, after key: String, limit: Int) throws -> [(key: String, row: Int64)]
    /// The next browsers known to be on the same device as an app, by their ids.
    func browsersBesideApps(of scope: Scope, after browser: Browser.ID?, limit: Int) throws -> [(
        browser: Browser.ID, device: Device.ID, isGuessed: Bool
    )]
    /// The next recent addresses of devices, by address and device.
    func deviceAddresses(of scope: Scope, after last: DeviceAddress?, limit: Int) throws -> [DeviceAddress]
    /// The next clicks that name a device, by device key and click.
    func deviceClicks(of scope: Scope, after last: DeviceClick?, limit: Int) throws -> [DeviceClick]
}

/// A click whose query names a device, by the device's key.
package struct DeviceClick: Sendable, Hashable {
    package let key: String
    package let click: Click.ID

    package init(key: String, click: Click.ID) {
        self.key = key
        self.click = click
    }
}

/// A recent address of a device, in its stored form.
package struct DeviceAddress: Sendable, Hashable {
    package let address: String
    package let device: Device.ID

    package init(address: String, device: Device.ID) {
        self.address = address
        self.device = device
    }
}

package protocol PersonalRowRepository: PersonalRowReader {
    /// Removes a data subject's data from rows. Most rows are deleted. A click stays in the log without the fields that could identify its
    /// visitor, a link without its owner; for identities, see ``erase(_:clearingAtMost:)``, for credit transactions,
    /// ``PersonalCreditRepository``. Rows that are not yet aggregated are aggregated first.
    func erase(_ table: PersonalTable, _ ids: [Int64]) throws
    /// Clears an identity as the referrer of sessions, and deletes it if it is the referrer of none any more.
    ///
    /// - Parameter limit: the maximum number of sessions to change: there can be any number, with large rows.
    /// - Returns: whether the identity is deleted; otherwise the next call continues.
    func erase(_ identity: Identity.ID, clearingAtMost limit: Int) throws -> Bool
    func eraseRequests(_ keys: [String], in scope: Scope) throws
    func eraseDeviceClicks(_ clicks: [DeviceClick], in scope: Scope) throws
    /// Deletes browsers beside a device.
    func erase(browsers: [Browser.ID], in scope: Scope) throws
    /// Deletes recent addresses of devices.
    func erase(_ addresses: [DeviceAddress], in scope: Scope) throws
    /// Replaces what a session says of its attribution, and what that was decided from. The attribution stays.
    func replaceExplanation(of session: Session.ID, by explanation: StoredDecision, _ evidence: Evidence?) throws
    /// Clears the referrer of an identity.
    func forgetReferrer(of identity: Identity.ID) throws
    /// Clears the counterparty of another identity's held reward.
    func forgetParty(of held: HeldReward.ID) throws
}
