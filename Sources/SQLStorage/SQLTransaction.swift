import Linden

/// All repositories over one connection, within one transaction of the database. Readers get one too, on a read-only connection.
package final class SQLTransaction: Transaction {
    package let connection: any SQLConnection
    package let now: Timestamp
    let state: SQLState
    /// Terms that this transaction inserted; added to the shared cache only after the commit.
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
        try ensureNodeLease()
        return try state.ids.next(at: now)
    }

    /// The driver calls this once the transaction is durable.
    package func didCommit() {
        state.terms.remember(newTerms)
    }

    /// The state besides the database that a savepoint must restore.
    package struct Mark {
        fileprivate let newTerms: [Term: Int64]
    }

    package var mark: Mark { Mark(newTerms: newTerms) }

    package func rollBack(to mark: Mark) {
        newTerms = mark.newTerms
    }
}

/// The state that a driver shares among its transactions.
package struct SQLState: Sendable {
    package let ids = IDGenerator()
    let terms = TermCache()
    let settings = SettingsCache()
    /// The identifier of this process among the owners of leased node numbers.
    let owner: String

    package init(owner: String) {
        self.owner = owner
    }
}
