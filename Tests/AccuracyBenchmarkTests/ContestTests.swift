import Testing

@testable import AccuracyBenchmark

/// The comparison of Linden's results with those of a published rule.
@Suite struct ContestTests {
    /// The results of 1,000 installs, 500 of them caused by a click.
    private func tally(right: Int, falseMatches: Int) -> Tally {
        var tally = Tally()
        tally.installs = Confusion(
            right: right, organicGiven: falseMatches, missed: 500 - right, organic: 500 - falseMatches)
        return tally
    }

    private func contest(_ own: Tally, stricter: Tally? = nil, against theirs: Tally) -> Contest {
        let curve: [Double: Tally] = stricter.map { [60: own, 80: $0] } ?? [:]
        return Contest(
            "home", MixReport.Result(attributor: "linden", threshold: 60, tally: own, curve: curve),
            against: MixReport.Result(attributor: "a", threshold: nil, tally: theirs, curve: [:]))
    }

    @Test func asManyFalseMatchesOrFewerWinWhateverIsFound() {
        for falseMatches in [0, 1, 2] {
            #expect(contest(tally(right: 10, falseMatches: falseMatches), against: tally(right: 200, falseMatches: 2)).isWon)
        }
    }

    @Test func moreFalseMatchesLoseHoweverMuchIsFound() {
        let contest = contest(tally(right: 400, falseMatches: 3), against: tally(right: 10, falseMatches: 2))
        #expect(!contest.isWon)
        #expect(contest.recallAtEqualRate == nil)
    }

    @Test func moreFalseMatchesWinIfAStricterThresholdHasAsFewAndFindsMore() {
        let own = tally(right: 400, falseMatches: 3)
        let rule = tally(right: 200, falseMatches: 2)
        let better = contest(own, stricter: tally(right: 300, falseMatches: 2), against: rule)
        #expect(better.isWon && better.recallAtEqualRate == 0.6)
        let worse = contest(own, stricter: tally(right: 100, falseMatches: 2), against: rule)
        #expect(!worse.isWon && worse.recallAtEqualRate == 0.2)
        // A stricter threshold with as many false matches as before changes nothing.
        #expect(!contest(own, stricter: tally(right: 350, falseMatches: 3), against: rule).isWon)
    }
}
