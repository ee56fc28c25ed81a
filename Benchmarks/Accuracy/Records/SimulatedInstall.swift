import Linden

/// An opening of an app, as its SDK reports it, and what truly led to it: the first one after an install, or a later one.
struct SimulatedInstall: Sendable {
    let id: Int
    /// Whether the device has opened the app before.
    let isKnown: Bool
    let device: UInt64
    let time: Timestamp
    let app: Int
    let address: SimulatedAddress
    let os: OperatingSystem
    /// As browsers count: `26.1`, `14`.
    let osVersion: String
    /// What Android SDKs send in place of the version: 34 for 14.
    let apiLevel: Int?
    /// `iPhone15,4`, `SM-S928U`.
    let model: String
    /// Two letters.
    let language: String
    /// Not every SDK sends it; Branch's do not.
    let timeZone: String
    let screen: Screen
    /// What a web view in the app says of itself, which SDKs send as their user agent.
    let webView: BrowserReport
    /// How long ago the app was installed, by the device's own clock (`latest_install_time`); nil from old SDKs.
    let installedAgo: Duration?
    /// How long ago Google Play began to install it (`install_begin_ts`).
    let begunAgo: Duration?
    var opening: SimulatedOpening

    // The truth.

    let network: NetworkClass
    /// The person's own clicks that lead to what was clicked last, newest first; empty for an organic opening.
    var ownClicks: [Int]

    /// The click that led here; nil if none did.
    var truth: Int? { ownClicks.first }
}

/// What the opening carries that names its cause for certain.
enum SimulatedOpening: Sendable, Hashable {
    case nothing
    /// The id of a click: Google Play's referrer, the app's own URI.
    case click(Int)
    /// The URL of a link: a Universal Link or an App Link.
    case link(Int)
    /// A URL that is no link of this server.
    case foreignURL
}
