import Linden
import LindenKernel

/// Maps names and values to those under which the rollups of a day count them: themselves, or ``Rollup/other``. Each scope and dimension
/// is read once.
package struct CountedValues {
    private struct Place: Hashable {
        let scope: Scope
        let dimension: Dimension
    }

    /// An event's name and a value of a dimension.
    private struct Combination: Hashable {
        let name: BytewiseText
        let value: BytewiseText

        init(_ name: String, _ value: String) {
            (self.name, self.value) = (BytewiseText(name), BytewiseText(value))
        }
    }

    let day: Int64
    /// The hashes of values, and of combinations, because the apps may have many long ones.
    private var values: [Place: Set<Int>] = [:]
    private var combinations: [Place: Set<Int>] = [:]

    package init(day: Int64) {
        self.day = day
    }

    /// Returns the key under which a record's rollup is counted.
    package mutating func counted(_ key: Rollup.Key, _ reader: any RollupReader) throws -> Rollup.Key {
        var counted = key
        counted.name = try value(key.name, of: .name, key.scope, reader)
        guard let dimension = key.dimension else { return counted }
        counted.value = try value(key.value, of: dimension, key.scope, reader)
        if try !isCounted(counted, by: dimension, reader) { counted.name = Rollup.other }
        return counted
    }

    private mutating func value(
        _ value: String, of dimension: Dimension, _ scope: Scope, _ reader: any RollupReader
    ) throws -> String {
        guard !value.isEmpty else { return "" }
        let place = Place(scope: scope, dimension: dimension)
        if values[place] == nil {
            var hashes: Set<Int> = []
            try reader.visitRollupValues(of: scope, by: dimension, day: day) { hashes.insert(BytewiseText($0).hashValue) }
            values[place] = hashes
        }
        return values[place]?.contains(BytewiseText(value).hashValue) == true ? value : Rollup.other
    }

    private mutating func isCounted(_ key: Rollup.Key, by dimension: Dimension, _ reader: any RollupReader) throws -> Bool {
        guard key.isLimitedCombination else { return true }
        let place = Place(scope: key.scope, dimension: dimension)
        if combinations[place] == nil {
            var hashes: Set<Int> = []
            try reader.visitRollupCombinations(of: key.scope, by: dimension, day: day) { name, value in
                hashes.insert(Combination(name, value).hashValue)
            }
            combinations[place] = hashes
        }
        return combinations[place]?.contains(Combination(key.name, key.value).hashValue) == true
    }
}
