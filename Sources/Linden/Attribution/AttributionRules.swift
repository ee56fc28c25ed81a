/// The thresholds and weights of matching by likeness, in one place. Raised in ``version`` whenever the same evidence may be decided
/// differently.
///
/// A click's likeness to an opening is told in points: what agrees adds, what disagrees takes away or excludes, what either side does not
/// say does neither. A click needs ``threshold`` points.
package struct AttributionRules: Sendable, Equatable {
    package var version = 5
    package var threshold = 60
    /// By how many points a click must lead before others that bring different data; less is a tie.
    package var lead = 40
    /// For the same address, which is what a click is found by.
    package var address = 60
    /// For the same /64 of IPv6 in addition, as long as no more share it than a ``household`` has: mostly one home's or one phone's.
    package var ownNetwork = 45
    package var household = 2
    /// For the same version of the system.
    package var osVersion = 15
    /// For the same version but for its last part, which one side does not tell.
    package var osVersionButPatch = 12
    package var model = 15
    /// For the same screen, where no model is compared.
    package var screen = 15
    /// Most people at one address speak one language, so that the same says little, and another much.
    package var language = 0
    package var otherLanguage = -35
    /// By how long ago the click was, in seconds: whoever comes later is ever more likely to be somebody else at the address. They are
    /// for the usual window of two hours, and grow with a longer one.
    package var ages = [Step(upTo: 600, points: 0), Step(upTo: 1800, points: -20)]
    package var longAgo = -40
    package var usualWindow = 7200
    /// By how many devices and clicks of other devices there are behind the address.
    package var crowds = [Step(upTo: 0, points: 0), Step(upTo: 4, points: -15)]
    package var largeCrowd = -60
    /// For an address that the operator knows to be shared by many.
    package var sharedAddress = -30
    /// Candidates that are held against an opening; where there are more, nobody can tell whose click is whose.
    package var candidates = 16
    /// Clicks of one address and version that are looked at for them: a busy address must not make an install scan thousands of rows.
    package var rows = 64
    /// How many clicks and devices behind an address are counted: more make no difference.
    package var crowdLimit = 64

    package static let standard = AttributionRules()

    package init() {}

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
