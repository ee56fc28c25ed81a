import LindenKernel

/// A set of ids of millions of rows, which takes little more than eight bytes an id. Ids that come in the order of their numbers, as from a
/// scan of a table, are added at once.
struct SortedIDs<Entity>: Sendable {
    private static var mostOthers: Int { 1 << 16 }

    private var sorted: [Int64] = []
    /// Those that came after greater ones, until there are many.
    private var others: Set<Int64> = []

    init() {}

    init(_ ids: some Sequence<Identifier<Entity>>) { formUnion(ids) }

    var count: Int { sorted.count + others.count }

    /// The ids, in order.
    var ids: some Collection<Identifier<Entity>> { numbers.lazy.map(Identifier.init(rawValue:)) }

    /// The numbers of the ids, in order.
    var numbers: [Int64] { others.isEmpty ? sorted : merged(with: others.sorted()) }

    func contains(_ id: Identifier<Entity>) -> Bool { sorted.hasSorted(id.rawValue) || others.contains(id.rawValue) }

    mutating func insert(_ id: Identifier<Entity>) {
        let number = id.rawValue
        if number > sorted.last ?? .min {
            // By a quarter: an array doubles its memory otherwise.
            if sorted.count == sorted.capacity { sorted.reserveCapacity(sorted.count + sorted.count / 4 + 16) }
            sorted.append(number)
        } else if !sorted.hasSorted(number) {
            others.insert(number)
            guard others.count >= Self.mostOthers else { return }
            sorted = numbers
            others = []
        }
    }

    mutating func formUnion(_ ids: some Sequence<Identifier<Entity>>) { for id in ids { insert(id) } }

    /// Returns those for which `isIncluded` is true.
    func filter(_ isIncluded: (Identifier<Entity>) -> Bool) -> SortedIDs { SortedIDs(ids.filter(isIncluded)) }

    func union(_ more: SortedIDs) -> SortedIDs {
        var union = self
        union.sorted = union.numbers
        union.others = []
        union.sorted = union.merged(with: more.numbers)
        return union
    }

    /// Returns the number of ids that are in this set or in another one.
    func count(with more: SortedIDs) -> Int { count + more.numbers.count { !contains(Identifier(rawValue: $0)) } }

    /// Returns the sorted numbers with others, which are sorted, too; those in both once.
    private func merged(with others: [Int64]) -> [Int64] {
        guard !others.isEmpty else { return sorted }
        var merged: [Int64] = []
        merged.reserveCapacity(sorted.count + others.count)
        var place = 0
        for number in others {
            while place < sorted.count, sorted[place] < number {
                merged.append(sorted[place])
                place += 1
            }
            if place == sorted.count || sorted[place] != number { merged.append(number) }
        }
        return merged + sorted[place...]
    }
}

extension [Int64] {
    /// Whether an array in ascending order has a number.
    func hasSorted(_ number: Int64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] == number { return true }
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
