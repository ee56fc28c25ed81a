import LinkRouting

/// What a browser, or the web view inside an app, says of itself.
struct BrowserReport: Sendable, Hashable {
    var userAgent: String
    /// Empty for browsers that send none; model and version only once the browser was asked.
    var clientHints = ClientHints()

    // What any reader takes from these words, true or not: iOS is frozen at 18_7, Android at 10, unless hints came.

    let os: OperatingSystem
    var osVersion: String
    var model: String?
    var name: BrowserName
    /// Of the rendering engine: WebKit's on iOS, Chrome's first part on Android.
    var engineVersion: String
    /// Two letters: the first of `Accept-Language`, or the web view's.
    var language: String

    /// Whether it is one of the browsers that know client hints at all.
    var hasHints: Bool { clientHints.platform != nil }
}

enum OperatingSystem: String, Sendable, Hashable, Codable {
    case iOS
    case android = "Android"
}

enum BrowserName: String, Sendable, Hashable {
    case safari, chrome, samsungInternet, facebook, instagram, webView

    /// Within another app.
    var isInApp: Bool { self == .facebook || self == .instagram || self == .webView }
}

/// What a page's script finds out and sends back, where the click led over a page and its visitor stayed long enough.
struct PageReport: Sendable, Hashable {
    /// `America/New_York`.
    let timeZone: String
    let screen: Screen
    /// Where the browser has client hints, a script may ask for them at once.
    let osVersion: String?
    let model: String?
}
