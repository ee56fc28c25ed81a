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
    ///   - earlier: the result of an earlier search, to find only rows written since.
    ///   - onKind: called before the search for each kind of rows.
    func data(
        of requested: [Identity.ID], since earlier: PersonalData?, _ publicIDs: PublicIDs,
        onKind: (PersonalDataKind) -> Void
    ) async throws -> PersonalData {
        var data = earlier.map(PersonalData.init(since:)) ?? PersonalData(of: requested, in: scope)
        for kind in PersonalDataKind.allCases {
            onKind(kind)
            switch kind {
            case .devices: try await findDevices(&data)
            case .sessions: try await findSessions(&data)
            case .clicks: try await findClicks(&data)
            case .messages: try await findMessages(&data, publicIDs)
            case .referrals: try await findReferrals(&data)
            case .credits: try await findCredits(&data)
            }
        }
        return data
    }

    private func findDevices(_ data: inout PersonalData) async throws {
        let subjects = data.identities
        var found = SortedIDs<Device>()
        try await forEach(.devices) { row in
            if let user = row.identity, subjects.contains(user) { found.insert(Device.ID(rawValue: row.id)) }
        }
        try await forEach(.sessions) { row in
            if let device = row.device, let user = row.identity, subjects.contains(user) { found.insert(device) }
        }
        try await decide(on: found.numbers, &data)
        try await findBrowsers(&data)
        // A browser that has opened pages with the Web SDK is a device itself.
        try await decide(on: data.browsers.numbers, &data)
    }

    /// The number of devices whose other users are held in memory at a time. For each portion the sessions are read once.
    private static let devicesAtOnce = 50_000

    /// Adds those of some devices that belong to the data subjects, with their anonymous users.
    private func decide(on devices: [Int64], _ data: inout PersonalData) async throws {
        let subjects = data.identities
        for start in stride(from: 0, to: devices.count, by: Self.devicesAtOnce) {
            let portion = Array(devices[start..<min(start + Self.devicesAtOnce, devices.count)])
            try await decide(on: portion, of: subjects, &data)
        }
    }

    private func decide(on devices: [Int64], of subjects: SortedIDs<Identity>, _ data: inout PersonalData) async throws {
        var others: [Device.ID: Set<Identity.ID>] = [:]
        try await forEach(.sessions) { row in
            guard let device = row.device, let user = row.identity, !subjects.contains(user), devices.hasSorted(device.rawValue)
            else { return }
            others[device, default: []].insert(user)
        }
        for start in stride(from: 0, to: devices.count, by: Self.devicesPerRead) {
            try Task.checkCancellation()
            let portion = devices[start..<min(start + Self.devicesPerRead, devices.count)].map(Device.ID.init(rawValue:))
            let known = try await storage.read { [others] reader in
                try portion.map { try DeviceUsers(of: $0, others[$0] ?? [], from: reader) }
            }
            for device in known where device.exists && device.named.allSatisfy(subjects.contains) {
                data.devices.insert(device.id)
                // Includes identities whose rows are deleted already, by an interrupted erasure.
                data.identities.formUnion(device.users)
                for key in device.keys { data.deviceKeys.insert(key) }
                if let click = device.lastClick { data.clicks.insert(click) }
            }
        }
    }

    private static let devicesPerRead = 100

    /// Finds the browsers beside its devices. No index leads to them from a device, so all are read once.
    private func findBrowsers(_ data: inout PersonalData) async throws {
        let devices = data.devices
        guard devices.count > 0 else { return }
        var (browsers, guessed) = (SortedIDs<Device>(), SortedIDs<Device>())
        try await forEachPage { [scope] in
            try $0.browsersBesideApps(of: scope, after: $1?.browser, limit: $2)
        } _: { page in
            for found in page where devices.contains(found.device) {
                if found.isGuessed { guessed.insert(found.browser) } else { browsers.insert(found.browser) }
            }
        }
        data.browsers.formUnion(browsers.ids)
        data.guessedBrowsers.formUnion(guessed.ids)
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

    private func findReferrals(_ data: inout PersonalData) async throws {
        try await forEach(.identities) { row in
            guard row.otherIdentity.map(data.identities.contains) == true else { return }
            data.referredIdentities.insert(Identity.ID(rawValue: row.id))
        }
        try await forEach(.referrals) { row in
            if data.names(row) || row.session.map(data.sessions.contains) == true {
                data.referrals.insert(Session.ID(rawValue: row.id))
            }
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

    /// Calls `body` for the pages of a list.
    func forEachPage<Element: Sendable>(
        _ next: @escaping @Sendable (any DatabaseReader, Element?, Int) throws -> [Element],
        _ body: ([Element]) async throws -> Void
    ) async throws {
        var last: Element?
        while true {
            try Task.checkCancellation()
            let page = try await storage.analyze(scope) { [last] in try next($0, last, Self.page) }
            try await body(page)
            guard page.count == Self.page else { return }
            last = page.last
        }
    }

    private static let page = 10_000
}

/// A device with all that decides whether it is the data subjects'.
private struct DeviceUsers: Sendable {
    let id: Device.ID
    /// False if it has no row: it was erased, or is a browser that opened no page with the Web SDK.
    let exists: Bool
    /// The identities that are or were on it besides the data subjects.
    let users: Set<Identity.ID>
    /// Those of them with a developer's id.
    let named: [Identity.ID]
    let keys: [String]
    let lastClick: Click.ID?

    init(of device: Device.ID, _ others: Set<Identity.ID>, from reader: any DatabaseReader) throws {
        let current = try reader.device(device)
        id = device
        exists = current != nil
        users = others.union([current?.identity].compactMap { $0 })
        named = try users.filter { try reader.identity($0)?.developerIdentity != nil }
        keys = [current?.description.hardwareID, current?.description.advertisingID].compactMap { $0 }
        lastClick = current?.lastClick
    }
}
