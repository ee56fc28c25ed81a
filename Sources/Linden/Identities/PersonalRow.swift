/// The tables whose rows say of themselves, by an id, whom they are about.
package enum PersonalTable: Sendable, CaseIterable {
    case devices, sessions, events, clicks, links, textMessages
}

/// What a row says of whom it is about.
package struct PersonalRow: Sendable {
    package let id: Int64
    package let scope: Scope
    package let identity: Identity.ID?
    /// A device, or the browser of a click.
    package let device: Device.ID?
    /// The click that a session was given or that last led a device into the app; of a click, what gave the link its own address.
    package let click: Click.ID?
    /// A session's that an event is of, or null.
    package let session: Session.ID?
    package let phone: PhoneNumber?

    package init(
        id: Int64, scope: Scope, identity: Identity.ID?, device: Device.ID?, click: Click.ID?, session: Session.ID?,
        phone: PhoneNumber?
    ) {
        self.id = id
        self.scope = scope
        self.identity = identity
        self.device = device
        self.click = click
        self.session = session
        self.phone = phone
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
}

package protocol PersonalRowRepository: PersonalRowReader {
    /// Removes what rows hold of a person. Devices, sessions, events and text messages go; a click stays in the log without all that could
    /// tell whose it was, a link without its owner. What counters have not counted yet is counted first.
    func erase(_ table: PersonalTable, _ ids: [Int64]) throws
    func eraseRequests(_ keys: [String], in scope: Scope) throws
    /// Forgets browsers and where a device was.
    func erase(browsers: [Browser.ID], addresses: [String], of device: Device.ID, in scope: Scope) throws
    /// Removes an identity, also as the one who brought others.
    func erase(_ identity: Identity.ID) throws
}
