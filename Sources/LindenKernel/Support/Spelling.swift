/// Suggestions for misspelled names.
package enum Spelling {
    /// Returns the name with the smallest edit distance (missing, extra, wrong or swapped bytes of UTF-8), case-insensitively; the first of
    /// several. Nil if all are too different for a typing error.
    package static func nearest(to text: String, in names: some Sequence<String>) -> String? {
        let letters = Array(text.lowercased().utf8)
        guard letters.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let other = Array(name.lowercased().utf8)
            let most = max(1, min(letters.count, other.count) / 4)
            // Each letter more is a difference, which needs no comparison.
            guard abs(letters.count - other.count) <= most else { continue }
            let distance = distance(letters, other)
            if distance <= most, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Returns the optimal string alignment distance. Time is proportional to the product of the lengths.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var (before, last) = ([Int](), Array(0...second.count))
        for i in first.indices {
            var row = [i + 1]
            row.reserveCapacity(second.count + 1)
            for j in second.indices {
                var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (first[i] == second[j] ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[second.count]
    }
}
