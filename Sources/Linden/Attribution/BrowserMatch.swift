/// Matches the last click of the browser on the same device: the app opened a page in it, and its cookie named the click (iOS 9 and 10,
/// older Android SDKs).
package struct BrowserMatch: Matcher {
    package static let name = "browser"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        evidence.browserClick?.answer("The browser on this device made this click.")
            ?? .noMatch("The browser on this device reported no click within the link's window.")
    }
}
