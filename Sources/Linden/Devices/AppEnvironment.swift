/// The variant of an app that is running, as SDKs report in `environment`.
package enum AppEnvironment: String, Sendable, CaseIterable {
    case fullApp = "FULL_APP"
    /// The part of an app that iOS runs without installing it.
    case appClip = "APP_CLIP"
    /// The part of an app that Android runs without installing it.
    case instantApp = "INSTANT_APP"
    case messagesApp = "IMESSAGE_APP"

    /// Whether it runs without the app being installed.
    var isTrial: Bool { self == .appClip || self == .instantApp }
}
