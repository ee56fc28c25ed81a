/// Matches the click id that the launch carries: the app was opened by its URI scheme, or Google Play passed the id on as install referrer.
package struct LinkClickMatch: Matcher {
    package static let name = "link_click"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        switch evidence.linkClick {
        case .none: .noMatch("The open has no click id.")
        case .unknown: .noMatch("The open has a click id that is not a click of this app.")
        case .usedUp: .stop("The open has the id of a click on a one-time link that is already consumed.")
        case .found(let click): click.answer("The open has the id of this click.")
        }
    }
}
