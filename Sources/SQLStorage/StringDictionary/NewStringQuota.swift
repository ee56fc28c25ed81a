import Linden
import LindenKernel

/// A kind of the texts that many rows share, such as user agents. Each text is stored once; the number is that of the stored kind.
package enum SharedString: Int64, Sendable {
    case userAgent = 1
    case referrer = 2
    case referrerHost = 3
    /// The model of a device.
    case model = 4
}

/// The origin of a new string, which determines the shares of the day's limits that the string counts towards.
package struct StringSource: Sendable {
    let app: App.ID
    /// The visitor's stored address; empty if it is not stored.
    let address: String
    /// See ``AddressPseudonymizer/site(of:)``.
    let site: Int64?

    package init(_ click: Click) {
        self.init(app: click.scope.app, address: click.address, site: click.site)
    }

    package init(_ device: Device) {
        self.init(app: device.scope.app, address: "", site: device.site)
    }

    init(app: App.ID, address: String, site: Int64?) {
        self.app = app
        self.address = address
        self.site = site
    }
}

/// The limits of the new strings that visitors may introduce on a UTC day, and what is used of them. Beyond a limit, rows refer to
/// ``other`` instead.
package struct NewStringQuota: Sendable {
    /// The value that replaces new ones once a limit of the day is reached.
    package static let other = "other"
    /// The limit of new values of a kind that one app's visitors may introduce on a day.
    static let perApp = 10_000
    /// The limit of all apps together, which bounds memory.
    static let ofAllApps = 50_000
    /// The shares of ``perApp`` that one address, and one site, may introduce, so that one client cannot use up the day's limit.
    static let perNetwork = NetworkShares(address: 500)
    /// The share of ``perApp`` of all visitors without a stored address together.
    static let withoutAddress = perApp / 2

    private struct AppShare: Hashable {
        let kind: SharedString
        let app: App.ID
    }

    private struct AddressShare: Hashable, Sendable {
        let kind: SharedString
        /// A hash of the stored address; that of the app for visitors without one.
        let number: Int
    }

    private struct SiteShare: Hashable, Sendable {
        let kind: SharedString
        let site: Int64
    }

    private var day: Int64 = 0
    /// The hashes of the strings that were counted. A transaction that is repeated asks for them again.
    private var counted: Set<Int> = []
    private var ofKind: [SharedString: Int] = [:]
    private var ofApp: [AppShare: Int] = [:]
    /// At most as many entries as strings admitted on the day.
    private var ofNetwork = NetworkUse<AddressShare, SiteShare>()

    package init() {}

    /// Returns whether a new value of a kind may be stored on a day. It is counted once a day.
    package mutating func admit(_ value: String, _ kind: SharedString, on day: Int64, from source: StringSource) -> Bool {
        if self.day != day {
            self = NewStringQuota()
            self.day = day
        }
        var hasher = Hasher()
        hasher.combine(kind)
        value.hashBytes(into: &hasher)
        let hash = hasher.finalize()
        if counted.contains(hash) { return true }
        let hasAddress = !source.address.isEmpty
        let app = AppShare(kind: kind, app: source.app)
        let address = AddressShare(kind: kind, number: hasAddress ? source.address.hashValue : source.app.hashValue)
        let site = source.site.map { SiteShare(kind: kind, site: $0) }
        let shares = NetworkShares(
            address: hasAddress ? Self.perNetwork.address : Self.withoutAddress, site: Self.perNetwork.site)
        guard ofKind[kind, default: 0] < Self.ofAllApps, ofApp[app, default: 0] < Self.perApp,
            ofNetwork.take(1, address, site, within: shares)
        else { return false }
        counted.insert(hash)
        ofKind[kind, default: 0] += 1
        ofApp[app, default: 0] += 1
        return true
    }
}
