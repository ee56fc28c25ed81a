/// The app opened a page in the browser beside it, and that browser's cookie names its last click (iOS 9 and 10, older Android SDKs).
package struct BrowserMatch: Matcher {
    package static let name = "browser"

    package func answer(_ evidence: Evidence) -> MatcherAnswer {
        guard let click = evidence.browserClick else {
            return .noMatch("The browser on this device told of no click within the link's window.")
        }
        return .match(
            Match(link: click.link, click: click.click, isGuaranteed: true, reason: "The browser on this device made this click."))
    }
}
