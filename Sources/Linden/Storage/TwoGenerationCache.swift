/// A bounded dictionary that evicts entries that were not looked up recently.
///
/// Entries are inserted into the young generation. When it reaches half the capacity, it becomes the old generation, and the previous old
/// one is evicted. A look-up moves an entry from the old generation to the young one, so entries in use stay, and at most half of the
/// cache is evicted at a time. All operations take constant time.
package struct TwoGenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let cost: Int
    }

    private struct Generation: Sendable {
        var entries: [Key: Entry] = [:]
        var cost = 0

        mutating func insert(_ entry: Entry, for key: Key) {
            entries[key] = entry
            cost += entry.cost
        }

        mutating func remove(_ key: Key) -> Entry? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            cost -= entry.cost
            return entry
        }
    }

    /// The maximum cost of all entries together.
    package let capacity: Int
    private var young = Generation()
    private var old = Generation()

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The cost of all entries together.
    package var cost: Int { young.cost + old.cost }

    /// Returns the value of a key, and marks it as recently used; nil if it is not cached.
    package mutating func value(for key: Key) -> Value? {
        if let entry = young.entries[key] { return entry.value }
        guard let entry = old.remove(key) else { return nil }
        add(entry, for: key)
        return entry.value
    }

    /// Adds or replaces the value of a key. A value that costs more than half the capacity is not cached.
    package mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
        remove(key)
        if cost <= capacity / 2 { add(Entry(value: value, cost: cost), for: key) }
    }

    package mutating func remove(_ key: Key) {
        _ = young.remove(key)
        _ = old.remove(key)
    }

    private mutating func add(_ entry: Entry, for key: Key) {
        if young.cost + entry.cost > capacity / 2 {
            old = young
            young = Generation()
        }
        young.insert(entry, for: key)
    }
}
