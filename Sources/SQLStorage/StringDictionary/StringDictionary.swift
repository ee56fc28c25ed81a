import Linden
import LindenKernel
import Synchronization

/// An entry of the string dictionary: a text that many rows share, such as a user agent, stored once and referred to by number.
struct DictionaryString: Hashable, Sendable {
    typealias Kind = SharedString

    let kind: Kind
    let value: String

    static let longest = 512

    /// Truncates the value to at most ``longest`` bytes of UTF-8, between two Unicode scalars.
    init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value.prefix(bytes: DictionaryString.longest)
    }

    /// Compares bytes, as the database does.
    static func == (one: DictionaryString, other: DictionaryString) -> Bool {
        one.kind == other.kind && one.value.hasSameBytes(as: other.value)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        value.hashBytes(into: &hasher)
    }
}

/// A cache of the ids of committed strings, with the limits of new ones. Evicts only strings that were not looked up lately.
final class StringDictionary: Sendable {
    private static let capacity = 20_000

    private struct State {
        var ids = TwoGenerationCache<DictionaryString, Int64>(capacity: StringDictionary.capacity)
        var newStrings = NewStringQuota()
    }

    private let state = Mutex(State())

    subscript(string: DictionaryString) -> Int64? {
        state.withLock { $0.ids.value(for: string) }
    }

    func remember(_ strings: [DictionaryString: Int64]) {
        guard !strings.isEmpty else { return }
        state.withLock { state in
            for (string, id) in strings { state.ids.insert(id, for: string) }
        }
    }

    func removeAll() {
        state.withLock { $0.ids = TwoGenerationCache(capacity: Self.capacity) }
    }

    /// Returns whether a new string may be stored on a day, see ``NewStringQuota``.
    func admit(_ string: DictionaryString, on day: Int64, from source: StringSource) -> Bool {
        state.withLock { $0.newStrings.admit(string.value, string.kind, on: day, from: source) }
    }
}

extension SQLTransaction {
    /// Returns the id of a text, which is inserted if it is new; nil for an empty one. Beyond a limit, that of
    /// ``NewStringQuota/other``.
    func stringID(_ kind: DictionaryString.Kind, _ value: String?, from source: StringSource) throws -> Int64? {
        guard let value, !value.isEmpty else { return nil }
        let string = DictionaryString(kind, value)
        if let id = state.dictionary[string] ?? newStrings[string] { return id }
        if let id = try storedStringID(string) {
            newStrings[string] = id
            return id
        }
        // A refusal is not cached: another source may still introduce the string.
        let admitted =
            state.dictionary.admit(string, on: now.day, from: source) ? string : DictionaryString(kind, NewStringQuota.other)
        let known = try state.dictionary[admitted] ?? newStrings[admitted] ?? (admitted == string ? nil : storedStringID(admitted))
        let id = try known ?? insertedStringID(admitted)
        newStrings[admitted] = id
        return id
    }

    private func storedStringID(_ string: DictionaryString) throws -> Int64? {
        try connection.first("SELECT id FROM strings WHERE kind = \(string.kind.rawValue) AND value = \(string.value)") {
            $0.integer(0)
        }
    }

    /// Inserts a string that was looked for in this transaction.
    private func insertedStringID(_ string: DictionaryString) throws -> Int64 {
        let id = try nextID()
        try connection.execute("INSERT INTO strings (id, kind, value) VALUES (\(id), \(string.kind.rawValue), \(string.value))")
        return id
    }
}
