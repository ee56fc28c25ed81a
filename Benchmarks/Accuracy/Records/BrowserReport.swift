import LinkRouting

/// The user agent and client hints of a browser or of a web view inside an app, and the values parsed from them.
struct BrowserReport: Sendable, Hashable {
    var userAgent: String
    /// Empty for browsers without client hints; model and version only after the server has requested them.
    var clientHints = ClientHints()

    // The parsed values, which may be untrue: iOS is frozen at 18_7, Android at 10, unless client hints were sent.

    let os: OperatingSystem
    var osVersion: String
    var model: String?
    var name: BrowserName
    /// The rendering engine's version: WebKit's on iOS, the first component of Chrome's on Android.
    var engineVersion: String
    /// Two letters, from the first entry of `Accept-Language` or from the web view.
    var language: String

    /// Whether the browser supports client hints.
    var hasHints: Bool { clientHints.platform != nil }
}

enum OperatingSystem: String, Sendable, Hashable, Codable {
    case iOS
    case android = "Android"
}

enum BrowserName: String, Sendable, Hashable {
    case safari, chrome, samsungInternet, facebook, instagram, webView

    /// Whether the browser runs inside another app.
    var isInApp: Bool { self == .facebook || self == .instagram || self == .webView }
}

/// The values that a page's script reports, if the click led to a page and its visitor stayed long enough.
struct PageReport: Sendable, Hashable {
    /// An IANA time zone, such as `America/New_York`.
    let timeZone: String
    let screen: Screen
    /// From client hints, which a script can request at once; nil for browsers without them.
    let osVersion: String?
    let model: String?
}
