/// What was decided and why: the match, if any, every click that was looked at, and what each matcher said that was asked.
package struct AttributionDecision: Sendable, Equatable {
    package struct Answer: Sendable, Equatable {
        package let matcher: String
        package let reason: String
        /// Why it took none of the clicks that it looked at.
        package var refusal: Refusal?
    }

    /// Why no click was taken where there were some.
    package enum Refusal: String, Sendable, CaseIterable {
        /// Several fit about equally well and lead to different data, or there were more than can be looked at.
        case ambiguous
        /// The window was over.
        case tooLate = "too_late"
        /// Something rules out that it is the same device or the cause of the opening.
        case otherDevice = "other_device"
        /// Nothing rules it out, but too little speaks for it.
        case unlikely
    }

    package struct ComparedClick: Sendable, Equatable {
        package let matcher: String
        package let candidate: Candidate
    }

    package enum Outcome: String, Sendable, CaseIterable {
        case matched
        /// There were clicks, and none was taken.
        case refused
        /// Nothing spoke for any click.
        case organic
    }

    package let ruleVersion: Int
    package var match: Match?
    /// The ad in Apple's store that the opening is given to in place of a link.
    package var ad: Evidence.StoreAd?
    package var answers: [Answer] = []
    package var candidates: [ComparedClick] = []

    init(ruleVersion: Int) {
        self.ruleVersion = ruleVersion
    }

    package var outcome: Outcome { isMatched ? .matched : candidates.isEmpty ? .organic : .refused }

    /// The matcher that matched.
    package var matcher: String? { isMatched ? answers.last?.matcher : nil }

    private var isMatched: Bool { match != nil || ad != nil }

    /// Of a refusal, its kind.
    package var refusal: Refusal? { outcome == .refused ? answers.last { $0.refusal != nil }?.refusal : nil }

    /// Of a match, why; of a refusal, what the last matcher said that had clicks to look at.
    package var reason: String {
        if outcome == .refused, let last = candidates.last?.matcher, let answer = answers.last(where: { $0.matcher == last }) {
            return answer.reason
        }
        return answers.last?.reason ?? "Nothing was asked."
    }
}
