import Linden

/// All repositories over one connection, within one transaction of the database. Readers are given one too, on a connection that
/// cannot write.
package final class SQLTransaction: Transaction {
    package let connection: any SQLConnection
    package let now: Timestamp
    let state: SQLState
    /// Terms this transaction wrote; known to others only once it is committed.
    var newTerms: [Term: Int64] = [:]

    package init(connection: any SQLConnection, state: SQLState, now: Timestamp) {
        self.connection = connection
        self.now = now
        self.state = state
    }

    package func newID<Entity>(_ entity: Entity.Type) throws -> Identifier<Entity> {
        Identifier(rawValue: try nextID())
    }

    package func damage(within limit: Duration?) throws -> [String]? { try connection.damage(within: limit) }

    func nextID() throws -> Int64 {
        try holdNode()
        return try state.ids.next(at: now)
    }

    /// To be called by the driver once the transaction is durable.
    package func didCommit() {
        state.terms.remember(newTerms)
    }

    /// What a savepoint must restore beside the database.
    package struct Mark {
        fileprivate let newTerms: [Term: Int64]
    }

    package var mark: Mark { Mark(newTerms: newTerms) }

    package func rollBack(to mark: Mark) {
        newTerms = mark.newTerms
    }
}

/// What a driver keeps for all its transactions.
package struct SQLState: Sendable {
    package let ids = IDGenerator()
    let terms = TermCache()
    /// Names this process among those that lease node numbers.
    let owner: String

    package init(owner: String) {
        self.owner = owner
    }
}
