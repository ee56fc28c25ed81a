extension MixReport {
    var text: String {
        """
        == \(mix): \(description)
        \(installs) installs, \(organic) of them organic; \(clicks) clicks, \(robots) of them robots'; \
        \(reachable.percent) of what clicks led to came within two hours from the click's address

        \(matrix)

        \(curves)\(Goal(self).verdict)

        """
    }

    private var matrix: String {
        var table = Table([
            "attributor", "right", "same data", "wrong", "organic given", "missed", "organic left", "precision", "recall",
            "false matches",
        ])
        for result in results {
            let counts = result.confusion
            table.add(
                [
                    result.attributor
                ]
                    + [counts.right, counts.sameData, counts.wrong, counts.organicGiven, counts.missed, counts.organic].map(
                        String.init)
                    + [result.precision, result.recall, result.falseMatches].map(\.percent))
        }
        return table.text
    }

    private var curves: String {
        let scored = results.filter { !$0.curve.isEmpty }
        guard !scored.isEmpty else { return "" }
        var table = Table(["by threshold", "threshold", "precision", "recall", "false matches"])
        for result in scored {
            for point in result.curve {
                let isPublished = point.threshold == result.threshold
                table.add([
                    result.attributor, point.threshold.short + (isPublished ? " *" : "  "), point.precision.percent,
                    point.recall.percent,
                    point.falseMatches.percent,
                ])
            }
        }
        return table.text + "\n* as published\n\n"
    }
}
