/// The thresholds and weights of probabilistic matching, in one place. ``version`` is raised whenever the same evidence may be decided
/// differently.
///
/// Ten points are a factor of e in the odds that the click led to the opening: they are the coefficients of a logistic regression over
/// the histories of the accuracy benchmark, rounded. A click's score is a sum of points: what agrees adds, what disagrees subtracts or excludes, what one side does not report does
/// neither. A click needs ``threshold`` points.
package struct AttributionRules: Sendable, Equatable {
    package var version = 6
    package var threshold = 60
    /// By how many points a click must lead before others that bring different data; less is a tie.
    package var lead = 40
    /// For the same address, which is what a click is found by.
    package var address = 64
    /// For the same /64 of IPv6 in addition, as long as no more share it than a ``household`` has: mostly one home's or one phone's.
    package var ownNetwork = 7
    package var household = 2
    /// For the same version of the system.
    package var osVersion = 8
    /// For the same version but for its last part, which one side does not report.
    package var osVersionButPatch = 8
    package var model = 6
    /// For the same screen, where no model is compared.
    package var screen = 8
    /// By how many of a thousand devices of the app have the trait that agrees: a rare one says more. Without figures, nothing.
    package var versionShares = [Step(upTo: 150, points: 7), Step(upTo: 400, points: 1)]
    package var commonVersion = -13
    package var modelShares = [Step(upTo: 9, points: 9), Step(upTo: 29, points: 4)]
    package var commonModel = 0
    package var screenShares = [Step(upTo: 29, points: 10), Step(upTo: 79, points: 6)]
    package var commonScreen = 2
    /// Where neither version nor model nor screen could be compared.
    package var nothingCompared = -6
    /// Most people at one address speak one language, so that the same says little, and another much.
    package var language = 0
    package var otherLanguage = -55
    /// While the app's own languages are not known, so that this may be its fallback.
    package var otherLanguageUnlearned = -35
    /// For an SDK that reports the language in which the app runs for lack of the device's own.
    package var fallbackLanguage = 0
    /// By how long after the click the app was installed, or opened if that is not known, in seconds: who comes later is ever more likely
    /// to be another person at the address. They are for the usual window of two hours, and grow with a longer one.
    package var ages = [
        Step(upTo: 120, points: 0), Step(upTo: 300, points: -5), Step(upTo: 600, points: -20), Step(upTo: 1200, points: -34),
        Step(upTo: 2400, points: -45),
    ]
    package var longAgo = -51
    package var usualWindow = 7200
    /// By how many devices and clicks of other devices there are behind the address.
    package var crowds = [Step(upTo: 0, points: 0), Step(upTo: 4, points: -15)]
    package var largeCrowd = -60
    /// The same for those that are like this device, in place of ``crowds`` where they were counted.
    package var alikeCrowds = [
        Step(upTo: 0, points: 0), Step(upTo: 1, points: -3), Step(upTo: 2, points: -11), Step(upTo: 4, points: -16),
        Step(upTo: 9, points: -19),
    ]
    package var largeAlikeCrowd = -25
    /// In addition to ``alikeCrowds``, by how many there are in all.
    package var densities = [
        Step(upTo: 0, points: 0), Step(upTo: 1, points: -5), Step(upTo: 2, points: -8), Step(upTo: 4, points: -9),
        Step(upTo: 9, points: -10), Step(upTo: 19, points: -16),
    ]
    package var highDensity = -21
    /// For an address that the operator knows to be shared by many.
    package var sharedAddress = -30
    /// For a device that had the app before, and how many seconds after a click it may be opened.
    package var knownDevice = -22
    package var openingWindow = 60
    /// Seconds by which a click may be later than the reported time of the installation.
    package var installTolerance = 5
    /// Candidates that are held against an opening; where there are more, nobody can tell whose click is whose.
    package var candidates = 16
    /// Clicks of one address and version that are looked at for them: a busy address must not make an install scan thousands of rows.
    package var rows = 64
    /// How many clicks and devices behind an address are counted: more make no difference.
    package var crowdLimit = 64

    package static let standard = AttributionRules()

    package init() {}

    /// The rules for evidence: the standard ones of its own version, so that a replay decides it as it was decided. Rules that are not
    /// the standard ones are for all evidence.
    func fitting(_ evidence: Evidence) -> AttributionRules {
        guard self == .standard, let version = evidence.likeness?.ruleVersion, version <= Self.version5.version else { return self }
        return .version5
    }

    /// Points for a number up to a bound.
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
