import LindenKernel

/// An opening of an app as its SDK reports it, the first after an install or a later one, and its ground truth.
struct SimulatedInstall: Sendable {
    let id: Int
    /// Whether the device has opened the app before.
    let isKnown: Bool
    let device: UInt64
    let time: Timestamp
    let app: Int
    let address: SimulatedAddress
    let os: OperatingSystem
    /// The OS version as browsers report it: `26.1`, `14`.
    let osVersion: String
    /// The number that Android SDKs send instead of the version: 34 for 14.
    let apiLevel: Int?
    /// `iPhone15,4`, `SM-S928U`.
    let model: String
    /// Two letters.
    let language: String
    /// Not every SDK sends it; Branch's do not.
    let timeZone: String
    let screen: Screen
    /// The report of a web view in the app, whose user agent SDKs send as theirs.
    let webView: BrowserReport
    /// The time since the app was installed, by the device's own clock (`latest_install_time`); nil from old SDKs.
    let installedAgo: Duration?
    /// The time since Google Play began to install it (`install_begin_ts`).
    let begunAgo: Duration?
    var opening: SimulatedOpening

    // Ground truth, which attributors must not read.

    let network: NetworkClass
    /// The person's own clicks that lead to what was clicked last, newest first; empty for an organic opening.
    var ownClicks: [Int]

    /// The click that caused the opening; nil for an organic one.
    var truth: Int? { ownClicks.first }
}

/// The deterministic evidence of its cause that the opening carries.
enum SimulatedOpening: Sendable, Hashable {
    case nothing
    /// The id of a click, from Google Play's referrer or the app's own URI.
    case click(Int)
    /// The URL of a link: a Universal Link or an App Link.
    case link(Int)
    /// A URL that is not a link of this server.
    case foreignURL
}
