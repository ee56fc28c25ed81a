/// A bounded dictionary that evicts entries that were not looked up recently.
///
/// Entries are inserted into the young generation. When it reaches half the capacity, it becomes the old generation, and the previous old
/// one is evicted. A look-up moves an entry from the old generation to the young one, so entries in use stay, and at most half of the
/// cache is evicted at a time. All operations take constant time, but for ``removeAll(where:)``.
///
/// Inlinable and public, because each click looks up several entries from other targets: the compiler specializes the generics of
/// another target only if they are both.
public struct TwoGenerationCache<Key: Hashable, Value> {
    @usableFromInline struct Entry {
        @usableFromInline let value: Value
        @usableFromInline let cost: Int

        @inlinable init(value: Value, cost: Int) {
            self.value = value
            self.cost = cost
        }
    }

    @usableFromInline struct Generation {
        @usableFromInline var entries: [Key: Entry] = [:]
        @usableFromInline var cost = 0

        @inlinable init() {}

        @inlinable mutating func insert(_ entry: Entry, for key: Key) {
            entries[key] = entry
            cost += entry.cost
        }

        @inlinable mutating func remove(_ key: Key) -> Entry? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            cost -= entry.cost
            return entry
        }

        @inlinable mutating func removeAll(where isRemoved: (Value) -> Bool) {
            for (key, entry) in entries where isRemoved(entry.value) { _ = remove(key) }
        }
    }

    /// The maximum cost of all entries together.
    public let capacity: Int
    @usableFromInline var young = Generation()
    @usableFromInline var old = Generation()

    @inlinable public init(capacity: Int) {
        self.capacity = capacity
    }

    /// The cost of all entries together.
    @inlinable public var cost: Int { young.cost + old.cost }

    /// Returns the value of a key, and marks it as recently used; nil if it is not cached.
    @inlinable public mutating func value(for key: Key) -> Value? {
        if let entry = young.entries[key] { return entry.value }
        guard let entry = old.remove(key) else { return nil }
        add(entry, for: key)
        return entry.value
    }

    /// Adds or replaces the value of a key. A value that costs more than half the capacity is not cached.
    @inlinable public mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
        remove(key)
        if cost <= capacity / 2 { add(Entry(value: value, cost: cost), for: key) }
    }

    /// Adds to the cost of a value. Has no effect on a key that is not cached.
    @inlinable public mutating func addCost(_ cost: Int, to key: Key) {
        guard let entry = young.remove(key) ?? old.remove(key) else { return }
        insert(entry.value, for: key, cost: entry.cost + cost)
    }

    @inlinable public mutating func remove(_ key: Key) {
        _ = young.remove(key)
        _ = old.remove(key)
    }

    /// Removes all values that meet a condition. Takes time proportional to the number of entries.
    @inlinable public mutating func removeAll(where isRemoved: (Value) -> Bool) {
        young.removeAll(where: isRemoved)
        old.removeAll(where: isRemoved)
    }

    @inlinable mutating func add(_ entry: Entry, for key: Key) {
        if young.cost + entry.cost > capacity / 2 {
            old = young
            young = Generation()
        }
        young.insert(entry, for: key)
    }
}

extension TwoGenerationCache: Sendable where Key: Sendable, Value: Sendable {}
extension TwoGenerationCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension TwoGenerationCache.Generation: Sendable where Key: Sendable, Value: Sendable {}
