import Linden
import LindenKernel
import LindenReporting
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// A look-up of a matcher, an explanation or a replay, with the index that it must use.
struct AttributionLookup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The prefixes of the plan's steps.
    let searches: [String]
    let run: @Sendable (SQLTransaction) throws -> Void

    init(_ name: String, _ searches: String..., run: @escaping @Sendable (SQLTransaction) throws -> Void) {
        testDescription = name
        self.searches = searches
        self.run = run
    }

    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)

    static let all: [AttributionLookup] = [
        .init("a click by its id", "clicks USING INTEGER PRIMARY KEY") { _ = try $0.click(Click.ID(rawValue: 3)) },
        .init("a link by its id", "links USING INTEGER PRIMARY KEY") { _ = try $0.link(Link.ID(rawValue: 3)) },
        .init("a link's status by its id", "links USING INTEGER PRIMARY KEY") { _ = try $0.linkStatus(Link.ID(rawValue: 3)) },
        .init(
            "open clicks that look alike",
            "pending_clicks USING PRIMARY KEY (match_key=?)"
        ) {
            _ = try $0.pendingClicks(Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "17.5"), limit: 16)
        },
        .init("taking an open click", "clicks USING INTEGER PRIMARY KEY (rowid=?)") {
            _ = try $0.claim(Click.ID(rawValue: 3))
        },
        .init(
            "a click that named the device",
            "device_clicks USING INDEX device_clicks_unclaimed (app_id=? AND mode=? AND device_key=?)"
        ) { _ = try $0.click(namingDevice: "a", in: scope) },
        .init(
            "the click that a browser reported",
            "strong_matches USING PRIMARY KEY (app_id=? AND mode=? AND device_key=? AND address=?)"
        ) { _ = try $0.strongMatch(["h"], from: ["203.0.113.7"], in: scope, at: $0.now) },
        .init(
            "the density behind an address",
            "pending_clicks USING PRIMARY KEY (match_key>? AND match_key<?)",
            "device_addresses USING COVERING INDEX device_addresses_by_kind (app_id=? AND mode=? AND address=?)"
        ) { _ = try $0.density(of: ["203.0.113.7"], in: scope, since: $0.now, besides: nil, limit: 64) },
        .init(
            "devices of one kind behind an address",
            "device_addresses USING INDEX device_addresses_by_kind (app_id=? AND mode=? AND address=? AND os=? AND os_version=? AND seen_at>?)"
        ) {
            _ = try $0.devices(
                like: .init(os: "iOS", osVersion: "18.5"), at: ["203.0.113.7"], in: scope, since: $0.now, besides: nil, limit: 64)
        },
        .init(
            "how common a device's traits are",
            "device_shares USING PRIMARY KEY (app_id=? AND mode=? AND os=? AND trait=?"
        ) { _ = try $0.commonness(of: .init(os: "iOS", osVersion: "18.5", model: "iPhone15,4"), in: scope) },
        .init("a device by its hardware id", "devices USING INDEX devices_by_hardware (app_id=? AND mode=? AND hardware_id=?)") {
            _ = try $0.device(hardwareID: "h", in: scope)
        },
        .init("an explanation", "sessions USING INTEGER PRIMARY KEY (rowid=?)") { _ = try $0.session(Session.ID(rawValue: 6)) },
        .init("the sessions of a time", "sessions USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") {
            _ = try $0.sessions(from: Session.ID(rawValue: 6), before: Session.ID(rawValue: 9), of: nil, limit: 10)
        },
        .init("an app's sessions of a time", "sessions USING INDEX sessions_by_scope (app_id=? AND mode=? AND id>? AND id<?)") {
            _ = try $0.sessions(from: Session.ID(rawValue: 6), before: Session.ID(rawValue: 9), of: scope, limit: 10)
        },
        .init("who was given a click", "sessions USING INDEX sessions_by_click (click_id=?)") {
            _ = try $0.sessions(givenTo: Click.ID(rawValue: 3), besides: Device.ID(rawValue: 4), limit: 8)
        },
        .init("an app's newest sessions", "sessions USING INDEX sessions_by_scope (app_id=? AND mode=? AND id>? AND id<?)") {
            _ = try $0.sessions(of: scope, in: 0..<9, matching: SessionFilter(), limit: 10)
        },
        .init("a device with its user", "devices USING INTEGER PRIMARY KEY (rowid=?)", "users USING INTEGER PRIMARY KEY (rowid=?)")
        {
            _ = try $0.device(Device.ID(rawValue: 4))
        },
    ]
}
