/// What of an app is running, as SDKs say in `environment`.
package enum AppEnvironment: String, Sendable, CaseIterable {
    case fullApp = "FULL_APP"
    /// The part of an app that iOS runs without installing it.
    case appClip = "APP_CLIP"
    /// The same on Android.
    case instantApp = "INSTANT_APP"
    case messagesApp = "IMESSAGE_APP"

    /// Whether it runs without the app being installed.
    var isTrial: Bool { self == .appClip || self == .instantApp }
}
