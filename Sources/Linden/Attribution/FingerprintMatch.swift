/// Somebody clicked a short while ago from the same address, on the same system and version: likely the same person, never certain.
///
/// Clicks that lead to the same data are as good as one another, so the newest wins; clicks that lead to different data are a tie,
/// and a tie is refused. To give somebody a stranger's link is worse than to give none.
package struct FingerprintMatch: Matcher {
    package static let name = "fingerprint"

    package func answer(_ evidence: Evidence) -> MatcherAnswer {
        guard let similar = evidence.similarClicks else {
            return .noMatch("The opening tells too little of the device to compare it with clicks.")
        }
        guard let newest = similar.first else {
            return .noMatch("There is no open click of the same address, system and version.")
        }
        guard similar.allSatisfy({ $0.content == newest.content }) else {
            return .noMatch("\(similar.count) open clicks fit equally well and lead to different data.")
        }
        return .match(
            Match(
                link: newest.link, click: newest.click, isGuaranteed: false,
                reason: "The click came from the same address, system and version within the link's window."))
    }
}
