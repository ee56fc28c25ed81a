/// All rows that are about one person.
struct PersonalData: Sendable {
    let scope: Scope
    /// His own, and those without a name that were on his devices.
    var identities: Set<Identity.ID>
    var devices: Set<Device.ID> = []
    var sessions: Set<Session.ID> = []
    var events: Set<Event.ID> = []
    var clicks: Set<Click.ID> = []
    var textMessages: Set<TextMessage.ID> = []
    var links: Set<Link.ID> = []
    /// That are beside the app on one of his devices.
    var browsers: [Device.ID: [Browser.ID]] = [:]
    var addresses: [Device.ID: [String]] = [:]
    var requests: [String] = []
    /// By which others know his devices.
    var deviceKeys: Set<String> = []
}

extension Storage {
    /// Looks a person up in all tables, page by page, so that nobody waits for it.
    ///
    /// His are the devices that he is on or has been on, unless somebody else with a name is or was there too: such a device stays with the
    /// other. Whoever used one of his without a name counts as he.
    func personalData(of identity: Identity) async throws -> PersonalData {
        var data = PersonalData(scope: identity.scope, identities: [identity.id])
        try await findDevices(&data)
        try await findRows(&data)
        return data
    }

    /// What has come in since about the people and devices of an earlier look.
    func personalData(since earlier: PersonalData) async throws -> PersonalData {
        var data = PersonalData(scope: earlier.scope, identities: earlier.identities, devices: earlier.devices)
        try await findRows(&data)
        return data
    }

    private func findRows(_ data: inout PersonalData) async throws {
        try await forEach(.sessions) { row in
            guard data.isAbout(row) else { return }
            data.sessions.insert(Session.ID(rawValue: row.id))
            data.clicks.formUnion([row.click].compactMap { $0 })
        }
        try await forEach(.events) { row in
            guard data.isAbout(row) || row.session.map(data.sessions.contains) == true else { return }
            data.events.insert(Event.ID(rawValue: row.id))
        }
        try await forEach(.links) { row in
            if row.identity.map(data.identities.contains) == true { data.links.insert(Link.ID(rawValue: row.id)) }
        }
        try await findClicks(&data)
        try await findRequests(&data)
    }

    private func findDevices(_ data: inout PersonalData) async throws {
        let (scope, identity) = (data.scope, data.identities)
        var users: [Device.ID: Set<Identity.ID>] = [:]
        var lastClicks: [Device.ID: Click.ID] = [:]
        try await forEach(.devices) { row in
            guard row.scope == scope, let user = row.identity else { return }
            lastClicks[Device.ID(rawValue: row.id)] = row.click
            if identity.contains(user) { users[Device.ID(rawValue: row.id)] = [user] }
        }
        try await forEach(.sessions) { row in
            if let device = row.device, let user = row.identity, identity.contains(user) { users[device, default: []].insert(user) }
        }
        try await forEach(.sessions) { row in
            if let device = row.device, let user = row.identity, users[device] != nil { users[device]?.insert(user) }
        }
        for (device, known) in users {
            let (users, browsers, addresses, keys) = try await read { reader in
                let current = try reader.device(device)
                return (
                    try known.union([current?.identity].compactMap { $0 }).compactMap { try reader.identity($0) },
                    try reader.browsers(beside: device, in: scope),
                    try reader.addresses(of: device, in: scope),
                    [current?.description.hardwareID, current?.description.advertisingID].compactMap { $0 }
                )
            }
            guard users.allSatisfy({ $0.developerIdentity == nil || identity.contains($0.id) }) else { continue }
            data.devices.insert(device)
            data.identities.formUnion(users.map(\.id))
            data.browsers[device] = browsers
            data.addresses[device] = addresses
            data.deviceKeys.formUnion(keys)
            data.clicks.formUnion([lastClicks[device]].compactMap { $0 })
        }
    }

    /// The clicks that led to his sessions, those of his browsers, and those by the messages to his phone.
    private func findClicks(_ data: inout PersonalData) async throws {
        let scope = data.scope
        let browsers = Set(data.browsers.values.joined()).union(data.devices)
        var clicks = data.clicks
        for identity in data.identities {
            clicks.formUnion(try await read { try $0.lastTouch(device: nil, identity: identity) }.map { [$0] } ?? [])
        }
        var ways: Set<Click.ID> = []
        try await forEach(.clicks) { row in
            guard row.scope == scope, clicks.contains(Click.ID(rawValue: row.id)) || row.device.map(browsers.contains) == true
            else { return }
            clicks.insert(Click.ID(rawValue: row.id))
            ways.formUnion([row.click].compactMap { $0 })
        }
        let phones = try await read { [ways] reader in
            Set(try ways.compactMap { try reader.textMessage(TextMessage.ID(rawValue: $0.rawValue))?.phone })
        }
        if !phones.isEmpty {
            var messages: Set<TextMessage.ID> = []
            try await forEach(.textMessages) { row in
                guard row.scope == scope, row.phone.map(phones.contains) == true else { return }
                messages.insert(TextMessage.ID(rawValue: row.id))
            }
            try await forEach(.clicks) { row in
                guard let way = row.click, messages.contains(TextMessage.ID(rawValue: way.rawValue)) else { return }
                clicks.insert(Click.ID(rawValue: row.id))
            }
            data.textMessages = messages
        }
        data.clicks = clicks
    }

    /// The calls that made his rows, and whatever else his devices asked for: an SDK's call is remembered with the id of its device.
    private func findRequests(_ data: inout PersonalData) async throws {
        let rows = Set(data.sessions.map(\.rawValue)).union(data.events.map(\.rawValue))
        let (scope, keys) = (data.scope, data.deviceKeys)
        var last = ""
        while true {
            let page = try await read { [last] in try $0.requests(of: scope, after: last, limit: Self.page) }
            data.requests += page.filter { rows.contains($0.row) || keys.contains(String($0.key.split(separator: " ").last ?? "")) }
                .map(\.key)
            guard page.count == Self.page, let key = page.last?.key else { return }
            last = key
        }
    }

    /// Every row of a table.
    func forEach(_ table: PersonalTable, _ body: (PersonalRow) -> Void) async throws {
        var last: Int64 = .min
        while true {
            let page = try await read { [last] in try $0.rows(of: table, after: last, limit: Self.page) }
            page.forEach(body)
            guard page.count == Self.page, let id = page.last?.id else { return }
            last = id
        }
    }

    private static var page: Int { 10_000 }
}

extension PersonalData {
    fileprivate func isAbout(_ row: PersonalRow) -> Bool {
        row.scope == scope && (row.identity.map(identities.contains) == true || row.device.map(devices.contains) == true)
    }
}
