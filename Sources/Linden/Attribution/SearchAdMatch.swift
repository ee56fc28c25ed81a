import LindenKernel

/// Matches an App Store search ad that Apple reported to the app (`search_ad_encoded`). It has no link and no click of this server.
///
/// Asked after the matchers that know a click by an id, because an app that a link opened gets that link's data; and before the
/// fingerprint, because Apple's answer is deterministic.
package struct SearchAdMatch: Matcher {
    package static let name = "search_ad"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        guard let ad = evidence.searchAd else { return .noMatch("Apple reported no App Store ad to the app.") }
        if ad.labels.isEmpty { return .noMatch("Apple reported that no App Store ad led to the install.") }
        if !ad.counts {
            return .noMatch("Apple's response is the sample for apps under test, which is accepted with test keys only.")
        }
        guard let age = ad.age else { return .ad(ad, "Apple says that this ad in its store brought the user.") }
        guard age < ad.window else {
            return .noMatch(
                "Apple names an ad in its store, but it was tapped \(age.inWords) ago, and the window is \(ad.window.inWords).")
        }
        return .ad(ad, "Apple says that this ad in its store brought the user, who tapped it \(age.inWords) before.")
    }
}
