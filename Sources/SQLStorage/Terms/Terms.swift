import Linden
import Synchronization

/// An entry of the string dictionary: a text that many rows share, such as a user agent, stored once and referred to by number.
struct Term: Hashable, Sendable {
    enum Kind: Int64, Sendable {
        case userAgent = 1
        case referrer = 2
        case referrerHost = 3
        /// The model of a device.
        case model = 4
    }

    let kind: Kind
    let value: String

    /// The value that replaces new ones once a limit of the day is reached.
    static let other = "other"
    static let longest = 512
    static let newPerDay = 10_000
    /// The share of ``newPerDay`` that one address (an IPv6 /64) may introduce, so that one client cannot use up the day's limit.
    static let newPerAddress = 500
    /// The share of all visitors without a stored address together.
    static let newWithoutAddress = newPerDay / 2

    /// Truncates the value to at most ``longest`` bytes of UTF-8, between two Unicode scalars.
    init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value.prefix(bytes: Term.longest)
    }
}

/// A cache of the numbers of committed terms.
final class TermCache: Sendable {
    private static let capacity = 20_000

    private struct State {
        var ids: [Term: Int64] = [:]
        var day: Int64 = 0
        var newToday: [Term.Kind: Int] = [:]
        /// At most as many entries as terms admitted on the day.
        var newByAddress: [Source: Int] = [:]
    }

    private struct Source: Hashable {
        let kind: Term.Kind
        /// The stored address; empty if it is not stored.
        let address: String
    }

    private let state = Mutex(State())

    subscript(term: Term) -> Int64? {
        state.withLock { $0.ids[term] }
    }

    func remember(_ terms: [Term: Int64]) {
        guard !terms.isEmpty else { return }
        state.withLock { state in
            if state.ids.count + terms.count > Self.capacity { state.ids.removeAll() }
            state.ids.merge(terms) { $1 }
        }
    }

    /// Returns whether one more new value of a kind may be stored on a day; counts it if so.
    ///
    /// - Parameter address: the stored address of the visitor; empty if it is not stored.
    func admit(_ kind: Term.Kind, on day: Int64, from address: String) -> Bool {
        state.withLock { state in
            if state.day != day {
                state.day = day
                state.newToday = [:]
                state.newByAddress = [:]
            }
            let source = Source(kind: kind, address: address)
            guard state.newToday[kind, default: 0] < Term.newPerDay,
                state.newByAddress[source, default: 0] < (address.isEmpty ? Term.newWithoutAddress : Term.newPerAddress)
            else { return false }
            state.newToday[kind, default: 0] += 1
            state.newByAddress[source, default: 0] += 1
            return true
        }
    }
}

extension SQLTransaction {
    /// Returns the number of a text, which is inserted if it is new; nil for an empty one.
    ///
    /// - Parameter address: the stored address of the visitor; empty if it is not stored.
    func termID(_ kind: Term.Kind, _ value: String?, from address: String = "") throws -> Int64? {
        guard let value, !value.isEmpty else { return nil }
        let term = Term(kind, value)
        if let id = state.terms[term] ?? newTerms[term] { return id }
        let id =
            try storedTermID(term)
            ?? insertedTermID(state.terms.admit(kind, on: now.day, from: address) ? term : Term(kind, Term.other))
        newTerms[term] = id
        return id
    }

    private func storedTermID(_ term: Term) throws -> Int64? {
        try connection.first("SELECT id FROM terms WHERE kind = \(term.kind.rawValue) AND value = \(term.value)") {
            $0.integer(0)
        }
    }

    private func insertedTermID(_ term: Term) throws -> Int64 {
        let inserted = try connection.first(
            """
            INSERT INTO terms (id, kind, value) VALUES (\(nextID()), \(term.kind.rawValue), \(term.value))
            ON CONFLICT (kind, value) DO NOTHING RETURNING id
            """
        ) { $0.integer(0) }
        guard let id = try inserted ?? storedTermID(term) else {
            throw Failure.unavailable("A term was removed while it was being written; please try again.")
        }
        return id
    }
}
