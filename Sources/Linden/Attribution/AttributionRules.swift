/// The thresholds and weights of probabilistic matching. ``version`` is raised whenever the same evidence may be decided differently.
///
/// Ten points are a factor of e in the odds that the click led to the launch: the points are the rounded coefficients of a logistic
/// regression over the histories of the accuracy benchmark. A click's score is a sum of points: agreement adds, disagreement subtracts or
/// excludes, and a signal that one side does not report does neither. A click needs ``threshold`` points.
package struct AttributionRules: Sendable, Equatable {
    package var version = 6
    package var threshold = 60
    /// How far, in points, a click with different data must be behind the best one. If it is less far behind, or reaches ``threshold`` itself,
    /// the two are a tie, and neither is taken. Clicks that a signal excludes do not count.
    package var tieMargin = 40
    /// Points for the same address; every candidate has it, because candidates are looked up by address.
    package var address = 64
    /// Additional points for the same IPv6 /64 shared by at most ``household`` others: mostly one home or one phone.
    package var ownNetwork = 7
    package var household = 2
    /// Points for the same OS version.
    package var osVersion = 8
    /// Points for the same OS version without its last part, which one side does not report.
    package var osVersionButPatch = 8
    package var model = 6
    /// Points for the same screen; counted only if no model is compared.
    package var screen = 8
    /// Points by the frequency of a trait that agrees, per thousand devices of the app: a rare trait says more. Without statistics, no
    /// points.
    package var versionShares = [Step(upTo: 150, points: 7), Step(upTo: 400, points: 1)]
    package var commonVersion = -13
    package var modelShares = [Step(upTo: 9, points: 9), Step(upTo: 29, points: 4)]
    package var commonModel = 0
    package var screenShares = [Step(upTo: 29, points: 10), Step(upTo: 79, points: 6)]
    package var commonScreen = 2
    /// Points if neither OS version nor model nor screen could be compared.
    package var nothingCompared = -6
    /// Points for the same language and for another. Most visitors at one address share a language, so agreement says little and
    /// disagreement much.
    package var language = 0
    package var otherLanguage = -55
    /// Points for another language while the app's languages are not known yet, so that it may be the app's fallback.
    package var otherLanguageUnlearned = -35
    /// Points if an SDK reports the app's fallback language because the app does not speak the device's own.
    package var fallbackLanguage = 0
    /// Points by the time from the click to the install, or to the launch if the install time is unknown, in seconds. The later, the more
    /// likely is another person at the same address. The bounds apply to the usual window of two hours and scale with a longer one.
    package var ages = [
        Step(upTo: 120, points: 0), Step(upTo: 300, points: -5), Step(upTo: 600, points: -20), Step(upTo: 1200, points: -34),
        Step(upTo: 2400, points: -45),
    ]
    package var longAgo = -51
    package var usualWindow = 7200
    /// Points by the number of other devices and clicks at the address, where the similar ones were not counted.
    package var uncomparedDensities = [Step(upTo: 0, points: 0), Step(upTo: 4, points: -15)]
    package var highUncomparedDensity = -60
    /// Points by the number of similar devices and clicks at the address; replaces ``uncomparedDensities`` where they were counted.
    package var similarDensities = [
        Step(upTo: 0, points: 0), Step(upTo: 1, points: -3), Step(upTo: 2, points: -11), Step(upTo: 4, points: -16),
        Step(upTo: 9, points: -19),
    ]
    package var highSimilarDensity = -25
    /// Points in addition to ``similarDensities``, by the number of all other devices and clicks at the address.
    package var densities = [
        Step(upTo: 0, points: 0), Step(upTo: 1, points: -5), Step(upTo: 2, points: -8), Step(upTo: 4, points: -9),
        Step(upTo: 9, points: -10), Step(upTo: 19, points: -16),
    ]
    package var highDensity = -21
    /// Points for an address that is known to be shared by many.
    package var sharedAddress = -30
    /// Points for a device that had the app before, and the maximum number of seconds from a click to the launch of such a device.
    package var knownDevice = -22
    package var openingWindow = 60
    /// Seconds by which a click may be later than the reported time of the installation.
    package var installTolerance = 5
    /// The maximum number of candidates compared with a launch; with more, the match is ambiguous.
    package var candidates = 16
    /// The maximum number of clicks read per address and OS version: a busy address must not make an install scan thousands of rows.
    package var rows = 64
    /// The maximum count of clicks and devices at an address: more make no difference.
    package var densityLimit = 64

    package static let standard = AttributionRules()

    package init() {}

    /// Returns the rules for evidence: the standard rules of the evidence's own version, so that a replay reproduces the decision. Rules
    /// other than the standard ones apply to all evidence.
    func fitting(_ evidence: Evidence) -> AttributionRules {
        guard self == .standard, let version = evidence.fingerprintSignals?.ruleVersion, version <= Self.version5.version else {
            return self
        }
        return .version5
    }

    /// The points for a number up to a bound.
    package struct Step: Sendable, Equatable {
        package let upTo: Int64
        package let points: Int

        package init(upTo: Int64, points: Int) {
            self.upTo = upTo
            self.points = points
        }
    }
}

extension [AttributionRules.Step] {
    func points(for number: Int64, beyond: Int) -> Int {
        first { number <= $0.upTo }?.points ?? beyond
    }
}
