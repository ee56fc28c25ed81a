import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// A search of the tables for the rows of data subjects of one app and mode, page by page, so that other readers and writers do not wait.
/// Ends between two pages if the task is cancelled.
struct PersonalDataSearch {
    let storage: any Database
    let scope: Scope

    /// Returns the rows of data subjects, found by one search for all of them.
    ///
    /// A device belongs to the data subjects if one of their identities is or was on it, unless another identity with a developer's id
    /// is or was there, too; then it belongs to the other. Anonymous identities on their devices count as the data subjects.
    ///
    /// - Parameters:
    ///   - kinds: those to search for.
    ///   - earlier: the result of an earlier search, to find only rows written since.
    ///   - onKind: called before the search for each kind of rows.
    func data(
        of requested: [Identity.ID], kinds: [PersonalDataKind], since earlier: PersonalData?, _ publicIDs: PublicIDs,
        onKind: (PersonalDataKind) -> Void
    ) async throws -> PersonalData {
        var data = earlier.map(PersonalData.init(since:)) ?? PersonalData(of: requested, in: scope)
        for kind in kinds {
            onKind(kind)
            switch kind {
            case .devices: try await findDevices(&data)
            case .sessions: try await findSessions(&data)
            case .clicks: try await findClicks(&data)
            case .messages: try await findMessages(&data, publicIDs)
            case .deviceClicks: try await findDeviceClicks(&data)
            case .referrals: try await findReferrals(&data)
            case .credits: try await findCredits(&data)
            case .requests: try await findRequests(&data)
            }
        }
        return data
    }

    private func findDevices(_ data: inout PersonalData) async throws {
        let identity = data.identities
        var users: [Device.ID: Set<Identity.ID>] = [:]
        try await forEach(.devices) { row in
            if let user = row.identity, identity.contains(user) { users[Device.ID(rawValue: row.id)] = [user] }
        }
        try await forEach(.sessions) { row in
            if let device = row.device, let user = row.identity, identity.contains(user) { users[device, default: []].insert(user) }
        }
        try await forEach(.sessions) { row in
            if let device = row.device, let user = row.identity, users[device] != nil { users[device]?.insert(user) }
        }
        for (device, known) in users {
            try Task.checkCancellation()
            let (users, named, keys, lastClick) = try await storage.read { reader in
                let current = try reader.device(device)
                let users = known.union([current?.identity].compactMap { $0 })
                return (
                    users, try users.filter { try reader.identity($0)?.developerIdentity != nil },
                    [current?.description.hardwareID, current?.description.advertisingID].compactMap { $0 },
                    current?.lastClick
                )
            }
            guard named.isSubset(of: identity) else { continue }
            data.devices.insert(device)
            // Includes identities whose rows are deleted already, by an interrupted erasure.
            data.identities.formUnion(users)
            data.deviceKeys.formUnion(keys + keys.map { $0.lowercased() })
            data.clicks.formUnion([lastClick].compactMap { $0 })
        }
        try await findBrowsersAndAddresses(&data)
    }

    /// Finds the browsers beside its devices, and the devices' addresses. No index leads to them from a device, so all are read once.
    private func findBrowsersAndAddresses(_ data: inout PersonalData) async throws {
        let devices = data.devices
        guard !devices.isEmpty else { return }
        let browsers = try await all { [scope] in
            try $0.browsersBesideApps(of: scope, after: $1?.browser, limit: $2)
        } where: {
            devices.contains($0.device)
        }
        for (browser, device) in browsers { data.browsers[device, default: []].insert(browser) }
        let addresses = try await all { [scope] in
            try $0.deviceAddresses(of: scope, after: $1, limit: $2)
        } where: {
            devices.contains($0.device)
        }
        for found in addresses { data.addresses[found.device, default: []].insert(found.address) }
    }

    private func findSessions(_ data: inout PersonalData) async throws {
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
    }

    /// Finds the clicks that led to its sessions, those of its browsers, those that name its devices, and the messages that led to them.
    private func findClicks(_ data: inout PersonalData) async throws {
        let browsers = Set(data.browsers.values.joined()).union(data.devices)
        for identity in data.identities {
            data.clicks.formUnion(try await storage.read { try $0.identity(identity)?.lastClick }.map { [$0] } ?? [])
        }
        try await forEach(.clicks) { row in
            let id = Click.ID(rawValue: row.id)
            guard
                data.clicks.contains(id) || row.device.map(browsers.contains) == true
                    || !data.deviceKeys.isDisjoint(with: row.namedDevices)
            else { return }
            data.clicks.insert(id)
            guard row.device.map(browsers.contains) == true else { return }
            data.browserClicks.insert(id)
            guard let way = row.click else { return }
            data.followedMessages.insert(TextMessage.ID(rawValue: way.rawValue))
        }
    }

    /// Finds the messages to its phone numbers, the clicks on their links, and the events about these messages or from the pages of its
    /// browsers' clicks.
    private func findMessages(_ data: inout PersonalData, _ publicIDs: PublicIDs) async throws {
        let ways = data.followedMessages
        data.phones.formUnion(try await storage.read { reader in try ways.compactMap { try reader.textMessage($0)?.phone } })
        if !data.phones.isEmpty {
            try await forEach(.textMessages) { row in
                guard row.phone.map(data.phones.contains) == true else { return }
                data.textMessages.insert(TextMessage.ID(rawValue: row.id))
            }
            try await forEach(.clicks) { row in
                guard let way = row.click, data.textMessages.contains(TextMessage.ID(rawValue: way.rawValue)) else { return }
                data.clicks.insert(Click.ID(rawValue: row.id))
            }
        }
        data.followedMessages.formIntersection(data.textMessages)
        try await forEach(.events) { row in
            let click: Click.ID? = row.page.flatMap { publicIDs.id(for: $0) }
            guard row.phone.map(data.phones.contains) == true || click.map(data.browserClicks.contains) == true
            else { return }
            data.messageEvents.insert(Event.ID(rawValue: row.id))
        }
    }

    private func findDeviceClicks(_ data: inout PersonalData) async throws {
        let (clicks, keys) = (data.clicks, data.deviceKeys)
        data.deviceClicks = try await all { [scope] in
            try $0.deviceClicks(of: scope, after: $1, limit: $2)
        } where: {
            clicks.contains($0.click) || keys.contains($0.key)
        }
    }

    private func findReferrals(_ data: inout PersonalData) async throws {
        try await forEach(.identities) { row in
            guard row.otherIdentity.map(data.identities.contains) == true else { return }
            data.referredIdentities.insert(Identity.ID(rawValue: row.id))
        }
        try await forEach(.referrals) { row in
            if data.names(row) || row.session.map(data.sessions.contains) == true { data.referrals.insert(row.id) }
        }
        try await forEach(.referralCodes) { row in
            if data.names(row) { data.referralCodes.insert(ReferralCode.ID(rawValue: row.id)) }
        }
        try await forEach(.heldRewards) { row in
            guard data.names(row) else { return }
            let id = HeldReward.ID(rawValue: row.id)
            if row.identity.map(data.identities.contains) == true {
                data.heldRewards.insert(id)
            } else {
                data.othersHeldRewards.insert(id)
            }
        }
    }

    /// Finds the remembered calls that created its rows. Keys of other calls reveal nothing, since they are hashed.
    private func findRequests(_ data: inout PersonalData) async throws {
        let transactions = Set(data.credits.transactions.map(\.rawValue))
        // Not one set of all: a person may have millions of events.
        func isOwn(_ row: Int64) -> Bool {
            data.sessions.contains(Identifier(rawValue: row)) || data.events.contains(Identifier(rawValue: row))
                || data.links.contains(Identifier(rawValue: row)) || data.messageEvents.contains(Identifier(rawValue: row))
                || data.referralCodes.contains(Identifier(rawValue: row)) || transactions.contains(row)
        }
        let requests = try await all { [scope] in
            try $0.requests(of: scope, after: $1?.key ?? "", limit: $2)
        } where: {
            isOwn($0.row)
        }
        data.requests = requests.map(\.key)
    }

    // MARK: Pages

    /// Calls `body` for every row of a table in the scope.
    func forEach(_ table: PersonalTable, _ body: (PersonalRow) -> Void) async throws {
        var last: Int64 = .min
        while true {
            try Task.checkCancellation()
            let page = try await storage.analyze(scope) { [last, scope] in
                try $0.rows(of: table, in: scope, after: last, limit: Self.page)
            }
            page.rows.forEach(body)
            guard let id = page.last else { return }
            last = id
        }
    }

    /// Returns the wanted elements of a list that is read page by page.
    func all<Element: Sendable>(
        _ next: @escaping @Sendable (any DatabaseReader, Element?, Int) throws -> [Element],
        where isWanted: (Element) -> Bool = { _ in true }
    ) async throws -> [Element] {
        var (found, last): ([Element], Element?) = ([], nil)
        while true {
            try Task.checkCancellation()
            let page = try await storage.analyze(scope) { [last] in try next($0, last, Self.page) }
            found += page.filter(isWanted)
            guard page.count == Self.page else { return found }
            last = page.last
        }
    }

    private static let page = 10_000
}
