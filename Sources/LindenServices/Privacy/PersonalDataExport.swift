import Linden
import LindenKernel
import LindenReporting

/// An export of all data about some data subjects, row by row; it reads a few hundred rows at a time. The search for the rows follows the
/// first chunk, so that a download begins at once.
package struct PersonalDataExport: ByteSource {
    private static let page = 200
    /// No further row is read once a page has so many bytes.
    private static let pageBytes = 1 << 20

    private let identities: [Identity.ID]
    private let scope: Scope
    private let storage: any Database
    private let people: IdentityDataService
    private let limit: PersonalRowLimit
    private let publicIDs: PublicIDs
    private let format: ExportFormat
    /// The tables that have rows, with the ids of these in their order.
    private var tables: [(table: PersonalTable, ids: [Int64])] = []
    /// What is held of the limit until the export ends.
    private var held: Hold?
    /// The recent addresses of their devices, if stored unhashed, by the device.
    private var addresses: [DeviceAddress] = []
    private var nextAddress = 0
    private var place = (table: 0, row: 0)
    private var isBegun = false
    private var hasSearched = false

    /// - Parameter identities: identities of the scope.
    init(
        of identities: [Identity.ID], of scope: Scope, in storage: any Database, by people: IdentityDataService,
        within limit: PersonalRowLimit, publicIDs: PublicIDs, format: ExportFormat
    ) {
        self.identities = identities
        self.scope = scope
        self.storage = storage
        self.people = people
        self.limit = limit
        self.publicIDs = publicIDs
        self.format = format
    }

    private mutating func search() async throws {
        let data = try await people.find(identities, in: scope)
        tables = data.ids.filter { !$0.ids.isEmpty }
        var addresses: [DeviceAddress] = []
        try await PersonalDataSearch(storage: storage, scope: scope).forEachPage { [scope] in
            try $0.deviceAddresses(of: scope, after: $1, limit: $2)
        } _: { page in
            addresses += page.filter { data.devices.contains($0.device) && isAddress($0.address) }
        }
        addresses.sort { ($0.device.rawValue, $0.address) < ($1.device.rawValue, $1.address) }
        self.addresses = addresses
        held = try limit.hold(count + addresses.count)
    }

    /// The number of rows; 0 before the search.
    package var count: Int { tables.reduce(0) { $0 + $1.ids.count } }

    package mutating func next() async throws -> [UInt8]? {
        guard isBegun else {
            isBegun = true
            return format == .csv ? Array(Self.columns.joined(separator: ",").utf8) + format.end : []
        }
        if !hasSearched {
            hasSearched = true
            if !identities.isEmpty { try await search() }
        }
        guard place.table < tables.count else { return nil }
        try Task.checkCancellation()
        var output: [UInt8] = []
        let (table, ids) = tables[place.table]
        let page = Array(ids[place.row...].prefix(Self.page))
        let found = try await storage.read { reader in
            var (found, bytes): ([JSONObject?], Int) = ([], 0)
            for id in page where bytes < Self.pageBytes {
                found.append(try reader.personalRow(of: table, id))
                bytes += found.last??.reduce(0) { $0 + ($1.value.string?.utf8.count ?? 0) } ?? 0
            }
            return found
        }
        place.row += found.count
        if place.row == ids.count { place = (place.table + 1, 0) }
        for (id, members) in zip(page, found) {
            if let members { write(table, id, members, to: &output) }
        }
        return output
    }

    private static let columns = ["kind", "id", "time", "data"]

    private mutating func write(_ table: PersonalTable, _ id: Int64, _ members: JSONObject, to output: inout [UInt8]) {
        var data = readable(members)
        if table == .devices {
            let addresses = takeAddresses(of: id)
            if !addresses.isEmpty { data["addresses"] = JSON(addresses) }
        }
        let values: [ExportValue] = [
            .text(table.singular), table.isShownPlainly ? .text(String(id)) : shown(id).map(ExportValue.text) ?? .none,
            .time(IDGenerator.time(of: id)), .json(.object(data)),
        ]
        for (index, value) in values.enumerated() {
            output += format.lead(Self.columns[index], isFirst: index == 0)
            format.write(value, to: &output)
        }
        output += format.end
    }

    /// Returns the addresses of a device, which comes after those before it.
    private mutating func takeAddresses(of device: Int64) -> [String] {
        var found: [String] = []
        while nextAddress < addresses.count, addresses[nextAddress].device.rawValue <= device {
            if addresses[nextAddress].device.rawValue == device { found.append(addresses[nextAddress].address) }
            nextAddress += 1
        }
        return found
    }

    /// Returns the reference or public id of a row of the data subjects; nil for other rows, some of whose ids are credentials of their
    /// identity.
    private func shown(_ id: Int64) -> String? {
        guard let own = tables.first(where: { $0.table.isOfSubjects && $0.ids.hasSorted(id) }) else { return nil }
        return switch own.table {
        case .identities: publicIDs.reference(to: Identity.ID(rawValue: id))
        case .devices: publicIDs.reference(to: Device.ID(rawValue: id))
        case .sessions: publicIDs.reference(to: Session.ID(rawValue: id))
        default: publicIDs.string(for: Click.ID(rawValue: id))
        }
    }

    /// Returns the columns in readable form: ids as operators see them, times in ISO 8601, and no nulls.
    private func readable(_ members: JSONObject) -> JSONObject {
        var shown = JSONObject()
        for (key, value) in members {
            switch value {
            case .null: continue
            case .string(let text) where Self.jsonColumns.contains(key):
                let parsed = (try? JSON.parse(text)) ?? value
                shown[key] = key == "body" ? Self.withoutCredentials(parsed) : parsed
            case .string(let text) where key == "address": if isAddress(text) { shown[key] = value }
            case .string(let text):
                guard let number = Int64(text) else { shown[key] = value; continue }
                if key.hasSuffix("_at") {
                    shown[key] = .string(Timestamp(milliseconds: number).iso8601)
                } else if key.hasSuffix("_id"), !Self.plain.contains(key) {
                    shown[key] = self.shown(number).map(JSON.string)
                } else {
                    shown[key] = value
                }
            default: shown[key] = value
            }
        }
        return shown
    }

    /// Returns an event's report without the credentials of the SDK, which may be at the top and in `user_data`. The row has the references.
    private static func withoutCredentials(_ report: JSON) -> JSON {
        guard var members = report.object?.filter({ key, _ in !credentials.contains(key) }) else { return report }
        if let user = members["user_data"] { members["user_data"] = withoutCredentials(user) }
        return .object(members)
    }

    private static let credentials: Set<String> = [
        "randomized_device_token", "device_fingerprint_id", "randomized_bundle_token", "identity_id", "session_id",
        "browser_fingerprint_id", "alternative_browser_fingerprint_id",
    ]

    /// Columns that hold JSON.
    private static let jsonColumns: Set<String> = ["data", "body", "first_session_data", "tags", "metadata"]
    /// Ids that are shown unchanged.
    private static let plain: Set<String> = ["link_id", "rule_id", "hardware_id", "advertising_id"]
}

/// Whether the stored form of an address is the address itself, see ``AddressPrivacy``; hashes are omitted as meaningless to readers.
private func isAddress(_ text: String) -> Bool { Network(text) != nil }

extension PersonalData {
    /// The ids of the exported rows, sorted in each table.
    fileprivate var ids: [(table: PersonalTable, ids: [Int64])] {
        [
            (.identities, identities.numbers), (.devices, devices.numbers), (.sessions, sessions.numbers),
            (.events, events.union(messageEvents).numbers), (.clicks, clicks.numbers), (.links, links.numbers),
            (.textMessages, SortedIDs(textMessages).numbers), (.referrals, referrals.numbers),
            (.referralCodes, referralCodes.numbers), (.heldRewards, heldRewards.numbers),
            (.creditTransactions, credits.own.numbers),
        ]
    }
}

extension PersonalTable {
    fileprivate var singular: String {
        switch self {
        case .devices: "device"
        case .sessions: "session"
        case .events: "event"
        case .clicks: "click"
        case .links: "link"
        case .textMessages: "text_message"
        case .identities: "identity"
        case .referrals: "referral"
        case .referralCodes: "referral_code"
        case .heldRewards: "held_reward"
        case .creditTransactions: "credit_transaction"
        }
    }

    /// Whether the table's rows concern only the data subjects.
    fileprivate var isOfSubjects: Bool {
        switch self {
        case .identities, .devices, .sessions, .events, .clicks, .textMessages: true
        case .links, .referrals, .referralCodes, .heldRewards, .creditTransactions: false
        }
    }

    /// Whether the table's ids are shown unchanged, see ``PublicIDs``.
    fileprivate var isShownPlainly: Bool {
        switch self {
        case .links, .referralCodes, .heldRewards, .creditTransactions: true
        default: false
        }
    }
}
