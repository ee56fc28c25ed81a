extension AccuracyReport {
    var text: String {
        let rules = Contender.all.map { "\($0.name): \($0.rule)" }.joined(separator: "\n")
        return ([rules] + mixes.map(\.text) + [overAll, goals.text, lostContests, bands, sensitivities, exact])
            .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var overAll: String {
        let results = Contender.all.map { contender in
            (contender.name, mixes.compactMap { $0.result(of: contender)?.tally.installs }.reduce(Confusion(), +))
        }
        return "== over all\n\n" + MixReport.matrix(results)
    }

    private var lostContests: String {
        let lost = contests.filter { !$0.isWon }
        guard !lost.isEmpty else { return "Linden loses to no published rule in any mix." }
        var table = Table(["linden loses to", "mix", "false matches", "recall", "linden's recall with as few"])
        for contest in lost {
            table.add([
                contest.rule, contest.mix, contest.falseMatches.percent, contest.recall.percent,
                contest.recallAtEqualRate?.percent ?? "none",
            ])
        }
        return table.text
    }

    private var bands: String {
        let bands = mixes.compactMap { $0.result(of: .linden)?.tally }.reduce(Tally(), +).bands
        guard !bands.isEmpty else { return "" }
        var table = Table(["score of linden's matches", "right", "false", "chance of a false match", "95 %"])
        for (band, counts) in bands.sorted(by: { $0.key < $1.key }) {
            let total = counts.right + counts.falseMatches
            table.add([
                "\(band) to \(band + 9)", "\(counts.right)", "\(counts.falseMatches)",
                (Double(counts.falseMatches) / Double(total)).percent, Interval(counts.falseMatches, of: total).percent,
            ])
        }
        return table.text
    }

    private var sensitivities: String {
        guard !sensitivity.isEmpty else { return "" }
        var table = Table(["mixed, if assumed", "false matches", "95 %", "recall", "later openings: right", "false"])
        for row in sensitivity {
            table.add([
                row.changed, row.installs.falseMatchShare.percent,
                Interval(row.installs.falseMatches, of: row.installs.installs).percent, row.installs.recall.percent,
                "\(row.openings.right)", "\(row.openings.falseMatches)",
            ])
        }
        return table.text
    }

    private var exact: String {
        let named = deterministic.results[0].tally.named
        return """
            == \(deterministic.mix): \(deterministic.description)
            \(named.installs) openings, \(named.organic) of them by a URL that is no link: precision \(named.precision.percent), \
            recall \(named.recall.percent)
            """
    }
}
