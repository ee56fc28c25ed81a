/// Matches the link that the launch carries: a Universal Link, an App Link or a push notification. The launch itself is the click.
package struct LinkURLMatch: Matcher {
    package static let name = "link_url"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        switch evidence.linkURL {
        case .none: .noMatch("The open has no URL.")
        case .foreign: .stop("The app was opened by a URL that is not a link of this app.")
        case .ended: .stop("The link that opened the app is consumed or expired.")
        case .found(let link): .match(Match(link: link, click: nil, isGuaranteed: true), "The app was opened by this link.")
        }
    }
}
