/// The result of an erasure: the numbers of erased rows.
package struct ErasureReport: Sendable {
    package let identities: Int
    package let devices: Int
    package let sessions: Int
    package let events: Int
    /// The clicks from which the data about their visitor was removed.
    package let clicks: Int
    package let textMessages: Int
    /// The links whose owner was removed.
    package let links: Int
    /// Whether the database's write-ahead log was purged.
    package let isLogEmpty: Bool

    init(data: PersonalData, isLogEmpty: Bool) {
        identities = data.identities.count
        devices = data.devices.count
        sessions = data.sessions.count
        events = data.events.count(with: data.messageEvents)
        clicks = data.clicks.count
        textMessages = data.textMessages.count
        links = data.links.count
        self.isLogEmpty = isLogEmpty
    }
}
