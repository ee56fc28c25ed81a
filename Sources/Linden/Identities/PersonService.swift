/// Shows what is kept of a person, and erases it.
package struct PersonService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let publicIDs: PublicIDs

    package init(storage: any Storage, links: LinkDirectory, publicIDs: PublicIDs) {
        self.storage = storage
        self.links = links
        self.publicIDs = publicIDs
    }

    /// The user of a scope by the developer's id of him or by his identity token. Fails with `notFound`.
    package func identity(_ reference: String, in scope: Scope) async throws -> Identity {
        let token: Identity.ID? = publicIDs.id(for: reference)
        let found = try await storage.read { reader in
            try reader.identity(reference, in: scope) ?? token.flatMap { try reader.identity($0) }
        }
        guard let found, found.scope == scope else { throw Failure.notFound("There is no user \(reference) in this app.") }
        return found
    }

    /// What is kept of a user, in figures.
    package func summary(of identity: Identity) async throws -> PersonSummary {
        var summary = PersonSummary(identity: identity)
        var devices: [Device.ID] = []
        try await storage.forEach(.devices) { if $0.identity == identity.id { devices.append(Device.ID(rawValue: $0.id)) } }
        summary.devices = try await storage.read { [devices] in try devices.compactMap($0.device) }
        try await storage.forEach(.sessions) { row in
            guard row.identity == identity.id else { return }
            summary.sessions += 1
            summary.firstSession = summary.firstSession ?? Session.ID(rawValue: row.id)
            summary.lastSession = Session.ID(rawValue: row.id)
        }
        try await storage.forEach(.events) { if $0.identity == identity.id { summary.events += 1 } }
        try await storage.forEach(.links) { if $0.identity == identity.id { summary.links += 1 } }
        summary.referredInstalls = try await storage.read { try $0.referrals(by: identity.id, kind: .install) }.total
        return summary
    }

    /// Erases a person: removes the rows about him and whatever could tell of others that they are about him. Totals stay.
    ///
    /// In batches, the identity last, so that an erasure that was cut off can be done again. What comes in while it goes on is found in a
    /// second look.
    package func erase(_ identity: Identity) async throws -> Erased {
        let data = try await storage.personalData(of: identity)
        try await erase(data)
        try await erase(try await storage.personalData(since: data))
        links.forget()
        return Erased(data: data, isLogEmpty: try await storage.scrub())
    }

    private func erase(_ data: PersonalData) async throws {
        try await erase(.sessions, data.sessions.map(\.rawValue))
        try await erase(.events, data.events.map(\.rawValue))
        try await erase(.clicks, data.clicks.map(\.rawValue))
        try await erase(.textMessages, data.textMessages.map(\.rawValue))
        try await erase(.links, data.links.map(\.rawValue))
        for batch in batches(data.requests) { try await storage.write { try $0.eraseRequests(batch, in: data.scope) } }
        for device in data.devices {
            try await storage.write { transaction in
                try transaction.erase(
                    browsers: data.browsers[device] ?? [], addresses: data.addresses[device] ?? [], of: device, in: data.scope)
                try transaction.erase(.devices, [device.rawValue])
            }
        }
        try await storage.write { try data.identities.sorted().forEach($0.erase) }
    }

    private func erase(_ table: PersonalTable, _ ids: [Int64]) async throws {
        for batch in batches(ids.sorted()) { try await storage.write { try $0.erase(table, batch) } }
    }

    /// Few enough that nobody else waits long for the writer.
    private func batches<Element>(_ elements: [Element]) -> [[Element]] {
        stride(from: 0, to: elements.count, by: 200).map { Array(elements[$0..<min($0 + 200, elements.count)]) }
    }
}

/// What is kept of a user, in figures.
package struct PersonSummary: Sendable {
    package let identity: Identity
    /// That he is on now.
    package var devices: [Device] = []
    package var firstSession: Session.ID?
    package var lastSession: Session.ID?
    package var sessions = 0
    package var events = 0
    /// That he has made.
    package var links = 0
    package var referredInstalls: Int64 = 0

    init(identity: Identity) {
        self.identity = identity
    }
}

/// What an erasure came to.
package struct Erased: Sendable {
    package let identities: Int
    package let devices: Int
    package let sessions: Int
    package let events: Int
    /// That nobody can tell any more whose they were.
    package let clicks: Int
    package let textMessages: Int
    /// That have no owner any more.
    package let links: Int
    /// Whether the database's log of earlier writes could be emptied.
    package let isLogEmpty: Bool

    fileprivate init(data: PersonalData, isLogEmpty: Bool) {
        identities = data.identities.count
        devices = data.devices.count
        sessions = data.sessions.count
        events = data.events.count
        clicks = data.clicks.count
        textMessages = data.textMessages.count
        links = data.links.count
        self.isLogEmpty = isLogEmpty
    }
}
