/// Suggestions for misspelled names.
package enum Spelling {
    /// Returns the name with the smallest edit distance (missing, extra, wrong or swapped letters), case-insensitively; the first of
    /// several. Nil if all are too different for a typing error.
    package static func nearest(to text: String, in names: some Sequence<String>) -> String? {
        let letters = Array(text.lowercased())
        guard letters.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(letters, Array(name.lowercased()))
            if distance <= max(1, min(letters.count, name.count) / 4), distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Returns the optimal string alignment distance. Time and space are proportional to the product of the lengths.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var rows = [Array(0...second.count)]
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (first[i] == second[j] ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
