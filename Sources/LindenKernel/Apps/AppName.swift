/// The identifiers of an app on iOS and Android, and their syntax.
package enum AppName: String, Sendable, CaseIterable {
    /// The Apple developer team's id.
    case teamID = "ios_team_id"
    /// The bundle identifier: Apple, "CFBundleIdentifier".
    case bundleID = "ios_bundle_id"
    /// The application id: developer.android.com, "Set the application ID".
    case package = "android_package_name"

    package func fits(_ text: String) -> Bool {
        switch self {
        case .teamID: text.wholeMatch(of: /[A-Z0-9]{10}/) != nil
        case .bundleID: text.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil
        case .package: text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/) != nil
        }
    }

    /// A short description with an example.
    package var summary: String {
        switch self {
        case .teamID: "team id, such as ABCDE12345"
        case .bundleID: "bundle id, such as com.example.orchard"
        case .package: "package, such as com.example.orchard"
        }
    }

    /// The allowed syntax, as the continuation of "must be".
    package var rule: String {
        switch self {
        case .teamID: "the 10 capital letters and digits before the bundle id in the app's identifier, such as ABCDE12345"
        case .bundleID: "letters, digits, hyphens and dots, such as com.example.orchard"
        case .package:
            "two or more words with dots between them, each a letter, then letters, digits or _, such as com.example.orchard"
        }
    }
}
