/// Matches a recent click from the same address, on a device with similar traits: probabilistic, never deterministic.
///
/// Among clicks that lead to the same data, the newest wins. Among clicks that lead to different data, one must lead all others that are
/// not excluded by ``AttributionRules/lead``; otherwise the match is ambiguous and refused, because a wrong link is worse than none.
package struct FingerprintMatch: Matcher {
    package static let name = "fingerprint"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        guard evidence.isFingerprintAllowed else {
            return .noMatch("The app does not use matching by address and device (attribution.fingerprint is off).")
        }
        guard evidence.isAddressKept else {
            return .noMatch("Addresses are not stored (privacy.addresses is none), so no click can be compared with the open.")
        }
        guard let fingerprintSignals = evidence.fingerprintSignals else {
            return .noMatch("The open has too few data of the device to compare it with clicks.")
        }
        guard !fingerprintSignals.clicks.isEmpty else { return .noMatch("There is no pending click from the same address and OS.") }
        // Newest first, whatever the order of the evidence.
        var compared = fingerprintSignals.clicks.sorted { $0.click > $1.click }.map {
            FingerprintScore($0, fingerprintSignals, rules)
        }
        let good = compared.indices.filter { compared[$0].isGood }
        guard let first = good.first else {
            let reason =
                compared.count == 1
                ? compared[0].candidate.reason : "None of \(compared.count) clicks from the same address is this device's."
            let refusals = Set(compared.compactMap(\.refusal))
            let refusal = [AttributionDecision.Refusal.unlikely, .tooLate].first(where: refusals.contains) ?? .otherDevice
            return .noMatch(reason, compared.map(\.candidate), refusal)
        }
        guard !fingerprintSignals.isCut else {
            for index in good { compared[index].candidate.reason = "It fits, but there were more clicks than could be looked at." }
            return .noMatch(
                "ambiguous: there were more than \(Int64(compared.count).counting("click")) from the same address.",
                compared.map(\.candidate), .ambiguous)
        }
        let best = good.map { compared[$0].candidate.points }.max() ?? 0
        let rivals = compared.indices.filter {
            compared[$0].isPossible && compared[$0].click.content != compared[first].click.content
                && (compared[$0].isGood || compared[$0].candidate.points > best - rules.lead)
        }
        guard rivals.isEmpty else {
            let tied = Set(good + rivals)
            for index in tied {
                compared[index].candidate.reason = "It fits about as well as another click that leads to different data."
            }
            return .noMatch(
                "ambiguous: \(tied.count) clicks fit about equally well and lead to different data.",
                compared.map(\.candidate), .ambiguous)
        }
        for index in good.dropFirst() { compared[index].candidate.reason = "A newer click leads to the same data." }
        compared[first].candidate.hasWon = true
        let winner = compared[first].click
        return .match(
            Match(link: winner.link, click: winner.click, isGuaranteed: false),
            "The click came from the same address, on a device like this one, \(winner.age.inWords) before.",
            compared.map(\.candidate))
    }
}
