/// The identifiers of an app on iOS and Android, and their syntax.
package enum AppName: String, Sendable, CaseIterable {
    /// The Apple developer team's id.
    case teamID = "ios_team_id"
    /// The bundle identifier: Apple, "CFBundleIdentifier".
    case bundleID = "ios_bundle_id"
    /// The application id: developer.android.com, "Set the application ID".
    case package = "android_package_name"

    /// Whether a text has the allowed syntax. By its bytes: the association file of a thousand apps asks for each of them.
    package func fits(_ text: String) -> Bool {
        switch self {
        case .teamID: return text.utf8.count == 10 && text.utf8.allSatisfy { $0.isCapital || $0.isDigit }
        case .bundleID:
            return !text.isEmpty
                && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        case .package:
            let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return words.count > 1
                && words.allSatisfy { word in
                    word.first?.isLetter == true && word.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
                }
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

extension UInt8 {
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isLetter: Bool { isCapital || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
