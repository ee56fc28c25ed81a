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
    /// The limit of new values of a kind that one app's visitors may introduce on a day.
    static let newPerDay = 10_000
    /// The limit of all apps together, which bounds memory.
    static let newOfAllApps = 50_000
    /// The shares of ``newPerDay`` that one address, and one site, may introduce, so that one client cannot use up the day's limit.
    static let newPerNetwork = NetworkShares(address: 500)
    /// The share of ``newPerDay`` of all visitors without a stored address together.
    static let newWithoutAddress = newPerDay / 2

    /// Truncates the value to at most ``longest`` bytes of UTF-8, between two Unicode scalars.
    init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value.prefix(bytes: Term.longest)
    }
}

/// The origin of a new term, which determines the shares of the day's limits that the term counts towards.
struct TermSource: Sendable {
    let app: App.ID
    /// The visitor's stored address; empty if it is not stored.
    let address: String
    /// See ``AddressPseudonymizer/site(of:)``.
    let site: Int64?

    init(_ click: Click) {
        app = click.scope.app
        address = click.address
        site = click.site
    }

    init(_ device: Device) {
        app = device.scope.app
        address = ""
        site = device.site
    }
}

/// A cache of the numbers of committed terms.
final class TermCache: Sendable {
    private static let capacity = 20_000

    private struct State {
        var ids: [Term: Int64] = [:]
        var day: Int64 = 0
        var newToday: [Term.Kind: Int] = [:]
        var newByApp: [AppShare: Int] = [:]
        /// At most as many entries as terms admitted on the day.
        var newByNetwork = NetworkUse<AddressShare, SiteShare>()
    }

    private struct AppShare: Hashable {
        let kind: Term.Kind
        let app: App.ID
    }

    private struct AddressShare: Hashable, Sendable {
        let kind: Term.Kind
        /// A hash of the stored address; that of the app for visitors without one.
        let number: Int
    }

    private struct SiteShare: Hashable, Sendable {
        let kind: Term.Kind
        let site: Int64
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
    func admit(_ kind: Term.Kind, on day: Int64, from source: TermSource) -> Bool {
        let hasAddress = !source.address.isEmpty
        let app = AppShare(kind: kind, app: source.app)
        let address = AddressShare(kind: kind, number: hasAddress ? source.address.hashValue : source.app.hashValue)
        let site = source.site.map { SiteShare(kind: kind, site: $0) }
        let shares = NetworkShares(
            address: hasAddress ? Term.newPerNetwork.address : Term.newWithoutAddress, site: Term.newPerNetwork.site)
        return state.withLock { state in
            if state.day != day {
                state.day = day
                state.newToday = [:]
                state.newByApp = [:]
                state.newByNetwork = NetworkUse()
            }
            guard state.newToday[kind, default: 0] < Term.newOfAllApps, state.newByApp[app, default: 0] < Term.newPerDay,
                state.newByNetwork.take(1, address, site, within: shares)
            else { return false }
            state.newToday[kind, default: 0] += 1
            state.newByApp[app, default: 0] += 1
            return true
        }
    }
}

extension SQLTransaction {
    /// Returns the number of a text, which is inserted if it is new; nil for an empty one. Beyond a limit, the number of ``Term/other``.
    func termID(_ kind: Term.Kind, _ value: String?, from source: TermSource) throws -> Int64? {
        guard let value, !value.isEmpty else { return nil }
        let term = Term(kind, value)
        if let id = state.terms[term] ?? newTerms[term] { return id }
        if let id = try storedTermID(term) {
            newTerms[term] = id
            return id
        }
        // A refusal is not cached: another source may still introduce the term.
        let admitted = state.terms.admit(kind, on: now.day, from: source) ? term : Term(kind, Term.other)
        let id = try state.terms[admitted] ?? newTerms[admitted] ?? insertedTermID(admitted)
        newTerms[admitted] = id
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
