import Linden
import LindenKernel
import LindenReporting

/// The numbers of values, or of combinations, of a dimension that each owner of a share introduced on a day.
///
/// They are kept beside the values: counting these, of which a day may have 20,000, would stop other writers.
struct ValueShares {
    struct Day: Hashable {
        let scope: Scope
        let dimension: Dimension
        let day: Int64
    }

    private struct Share: Hashable {
        let day: Day
        let owner: ValueShareOwner
    }

    private let transaction: SQLTransaction
    private let kind: LimitedKind
    private var numbers: [Share: Int] = [:]

    init(of kind: LimitedKind, _ transaction: SQLTransaction) {
        self.kind = kind
        self.transaction = transaction
    }

    /// Whether a source may introduce one more on a day: while there is room in each of its shares.
    mutating func hasRoom(for source: ValueSource, on day: Day) throws -> Bool {
        for owner in source.shareOwners {
            guard try number(of: Share(day: day, owner: owner)) < kind.limit(of: owner) else { return false }
        }
        return true
    }

    /// Counts one more that a source introduced.
    mutating func add(from source: ValueSource, on day: Day) throws {
        for owner in source.shareOwners {
            let share = Share(day: day, owner: owner)
            numbers[share] = try number(of: share) + 1
            let (role, identifier) = owner.columns
            try transaction.connection.execute(Self.addOne) { row in
                row.bind(day.scope.app.rawValue)
                row.bind(day.scope.mode.rawValue)
                row.bind(day.dimension.rawValue)
                row.bind(day.day)
                row.bind(kind.rawValue)
                row.bind(role)
                row.bind(identifier)
                row.bind(Int64(1))
            }
        }
    }

    private mutating func number(of share: Share) throws -> Int {
        if let number = numbers[share] { return number }
        let (role, identifier) = share.owner.columns
        let number = try transaction.connection.first(
            """
            SELECT number FROM rollup_shares WHERE app_id = \(share.day.scope.app) AND mode = \(share.day.scope.mode)
                AND dimension = \(share.day.dimension.rawValue) AND day = \(share.day.day) AND kind = \(kind.rawValue)
                AND owner_kind = \(role) AND owner = \(identifier)
            """
        ) { Int($0.integer(0)) }
        numbers[share] = number ?? 0
        return number ?? 0
    }

    private static let addOne = StaticSQL(
        insertInto: "rollup_shares", "app_id, mode, dimension, day, kind, owner_kind, owner, number",
        """
        ON CONFLICT (app_id, mode, dimension, day, kind, owner_kind, owner) DO UPDATE SET number = rollup_shares.number + excluded.number
        """)
}

extension ValueShareOwner {
    /// The columns `owner_kind` and `owner`.
    fileprivate var columns: (Int64, Int64) {
        switch self {
        case .all: (0, 0)
        case .allVisitors: (1, 0)
        case .visitor(let number): (2, number)
        case .unknownVisitors: (3, 0)
        case .site(let number): (4, number)
        }
    }
}
