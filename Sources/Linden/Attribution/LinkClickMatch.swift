/// Matches the click id that the launch carries: the app was opened by its URI scheme, or Google Play passed the id on as install referrer.
package struct LinkClickMatch: Matcher {
    package static let name = "link_click"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        switch evidence.linkClick {
        case .none: .noMatch("The opening carries no click id.")
        case .unknown: .noMatch("The open has a click id that is not a click of this app.")
        case .usedUp: .stop("The link of the click that the opening carries was for one use, and has had it.")
        case .found(let click): click.answer("The opening carries the id of this click.")
        }
    }
}
