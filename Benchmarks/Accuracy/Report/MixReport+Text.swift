extension MixReport {
    var text: String {
        """
        == \(mix): \(description)
        \(installs) installs, \(organic) of them organic; \(openings) later openings; \(clicks) clicks, \(robots) of them robots'; \
        \(reachableShare.percent) of what clicks led to came within two hours from the click's address

        \(MixReport.matrix(results.map { ($0.attributor, $0.tally.installs) }))

        \(laterOpenings)\(curves)
        """
    }

    static func matrix(_ results: [(name: String, confusion: Confusion)]) -> String {
        var table = Table([
            "attributor", "right", "same data", "wrong", "organic given", "missed", "organic left", "precision", "recall",
            "false matches", "95 %",
        ])
        for (name, counts) in results {
            table.add(
                [name]
                    + [counts.right, counts.sameData, counts.wrong, counts.organicGiven, counts.missed, counts.organic].map(
                        String.init)
                    + [counts.precision, counts.recall, counts.falseMatchShare].map(\.percent)
                    + [Interval(counts.falseMatches, of: counts.installs).percent])
        }
        return table.text
    }

    private var laterOpenings: String {
        results.filter { $0.attributor.hasPrefix("linden") }.map { result in
            let (openings, named) = (result.tally.openings, result.tally.named)
            return """
                \(result.attributor), later openings: \(openings.right) right, \(openings.falseMatches) false, \(openings.missed) missed \
                of \(openings.installs); with an id or a link: \(named.right) right, \(named.falseMatches + named.missed) not

                """
        }.joined()
    }

    private var curves: String {
        let scored = results.filter { !$0.curve.isEmpty }
        guard !scored.isEmpty else { return "" }
        var table = Table(["by threshold", "threshold", "precision", "recall", "false matches"])
        for result in scored {
            for (threshold, tally) in result.curve.sorted(by: { $0.key < $1.key }) {
                let isPublished = threshold == result.threshold
                table.add([
                    result.attributor, threshold.short + (isPublished ? " *" : "  "), tally.installs.precision.percent,
                    tally.installs.recall.percent, tally.installs.falseMatchShare.percent,
                ])
            }
        }
        return "\n" + table.text + "\n* as published\n\n"
    }
}
