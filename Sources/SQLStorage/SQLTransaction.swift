import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices

/// All repositories over one connection, within one transaction of the database. Readers get one too, on a read-only connection.
package final class SQLTransaction: DatabaseTransaction {
    package private(set) var connection: any SQLConnection
    package let now: Timestamp
    let state: SQLState
    /// Strings that this transaction inserted; added to the shared cache only after the commit.
    var newStrings: [DictionaryString: Int64] = [:]
    /// To be emptied where apps or reward rules are written.
    var known = KnownSettings()
    /// Changes to the pending clicks in memory, made only after the commit.
    var pending = PendingClickChanges()

    package init(connection: any SQLConnection, state: SQLState, now: Timestamp) {
        self.connection = connection
        self.now = now
        self.state = state
    }

    package func newID<Entity>(_ entity: Entity.Type) throws -> Identifier<Entity> {
        Identifier(rawValue: try nextID())
    }

    /// The domain hands sessions, events and logins over to LindenLedger here.
    package var ledgerRecorder: any LedgerRecorder { TransactionLedgerRecorder(transaction: self) }

    package func damage(within limit: Duration?) throws -> [String]? { try connection.damage(within: limit) }

    package func brokenReferences(limit: Int) throws -> [String] { try connection.brokenReferences(limit: limit) }

    func nextID() throws -> Int64 {
        try ensureNodeLease()
        return try state.ids.next(at: now)
    }

    /// Runs `body` with another connection, which forwards its calls to the transaction's.
    func withConnection<Value>(_ other: any SQLConnection, _ body: () throws -> Value) rethrows -> Value {
        let own = connection
        connection = other
        defer { connection = own }
        return try body()
    }

    /// The driver calls this once the transaction is durable.
    package func didCommit() {
        state.dictionary.remember(newStrings)
        state.pendingClicks?.append(pending.entries)
        if pending.endsMerge { state.pendingClicks?.endMerge() }
    }

    /// The state besides the database that a savepoint must restore.
    package struct Mark {
        fileprivate let newStrings: [DictionaryString: Int64]
        fileprivate let pending: PendingClickChanges
    }

    package var mark: Mark { Mark(newStrings: newStrings, pending: pending) }

    package func rollBack(to mark: Mark) {
        newStrings = mark.newStrings
        pending = mark.pending
        known = KnownSettings()
    }
}

/// The state that a driver shares among its transactions.
package struct SQLState: Sendable {
    package let ids = IDGenerator()
    let dictionary = StringDictionary()
    let settings = SettingsCache()
    /// The pending clicks in memory; nil in a process that is no server, which writes them to their table.
    let pendingClicks: PendingClickIndex?
    /// The identifier of this process among the owners of leased node numbers.
    let owner: String

    package init(owner: String, pendingClicks: PendingClickIndex? = nil) {
        self.pendingClicks = pendingClicks
        self.owner = owner
    }

    /// Forgets what was read or written before, because the database may have lost its last commits: the numbers of strings, and the
    /// lease of the node number, which is renewed before the next id.
    package func invalidate() {
        dictionary.removeAll()
        if let lease = ids.lease { ids.lease = .init(node: lease.node, until: Timestamp(milliseconds: 0)) }
    }
}
