/// The thresholds and weights of matching by likeness, in one place. Raised in ``version`` whenever the same evidence may be decided
/// differently.
///
/// A click's likeness to an opening is told in points: what agrees adds, what disagrees takes away or excludes, what either side does not
/// say does neither. A click needs ``threshold`` points.
package struct AttributionRules: Sendable, Equatable {
    package var version = 4
    package var threshold = 50
    /// For the same address, which is what a click is found by.
    package var address = 50
    /// For the same version of the system.
    package var osVersion = 15
    /// For the same version but for its last part, which one side does not tell.
    package var osVersionButPatch = 12
    package var model = 20
    package var language = 10
    package var otherLanguage = -25
    /// By how long ago the click was.
    package var ages = [
        Step(upTo: 120, points: 10), Step(upTo: 600, points: 5), Step(upTo: 1800, points: 0), Step(upTo: 7200, points: -5),
    ]
    package var longAgo = -15
    /// By how many devices and clicks of other devices there are behind the address.
    package var crowds = [Step(upTo: 2, points: 0), Step(upTo: 8, points: -10), Step(upTo: 30, points: -25)]
    package var largeCrowd = -40
    /// For an address that the operator knows to be shared by many.
    package var sharedAddress = -30
    /// Candidates that are looked at: enough to see a tie; a busy address must not make an install scan thousands of rows.
    package var candidates = 16
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
