/// An attribution decision: the match, if any, every click that was compared, and the answer of each matcher that was asked.
package struct AttributionDecision: Sendable, Equatable {
    package struct Answer: Sendable, Equatable {
        package let matcher: String
        package let reason: String
        /// Why the matcher took none of the clicks it compared.
        package var refusal: Refusal?
    }

    /// Why no click was taken although there were candidates.
    package enum Refusal: String, Sendable, CaseIterable {
        /// Several clicks fit about equally well and lead to different data, or there were more clicks than are compared.
        case ambiguous
        /// The attribution window was over.
        case tooLate = "too_late"
        /// A signal excludes the click: another device, or a click that cannot have caused the launch.
        case otherDevice = "other_device"
        /// Nothing excludes a click, but none reaches the threshold.
        case unlikely
    }

    package struct ComparedClick: Sendable, Equatable {
        package let matcher: String
        package let candidate: Candidate
    }

    package enum Outcome: String, Sendable, CaseIterable {
        case matched
        /// There were candidates, and none was taken.
        case refused
        /// There were no candidates.
        case organic
    }

    package let ruleVersion: Int
    package var match: Match?
    /// The App Store search ad that the launch is attributed to in place of a link.
    package var ad: Evidence.SearchAdAttribution?
    package var answers: [Answer] = []
    package var candidates: [ComparedClick] = []

    init(ruleVersion: Int) {
        self.ruleVersion = ruleVersion
    }

    package var outcome: Outcome { isMatched ? .matched : candidates.isEmpty ? .organic : .refused }

    /// The matcher that matched.
    package var matcher: String? { isMatched ? answers.last?.matcher : nil }

    private var isMatched: Bool { match != nil || ad != nil }

    /// The kind of refusal; nil for other outcomes.
    package var refusal: Refusal? { outcome == .refused ? answers.last { $0.refusal != nil }?.refusal : nil }

    /// The reason of the match; for a refusal, the answer of the last matcher that had candidates.
    package var reason: String {
        if outcome == .refused, let last = candidates.last?.matcher, let answer = answers.last(where: { $0.matcher == last }) {
            return answer.reason
        }
        return answers.last?.reason ?? "Nothing was asked."
    }
}
