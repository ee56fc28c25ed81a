import LindenKernel

/// A whole database for a copy, opened by a driver. Used by one thread at a time.
package protocol CopyDatabase: AnyObject {
    /// The database without its password, for messages.
    var name: String { get }
    var connection: any SQLConnection { get }
    /// All of its tables, with ``CopiedTable/uncopied`` ones, as its schema describes them.
    func tables() throws -> [CopiedTable]
    /// The migrations that this version knows. Fails with `unusable` for a database of a later minor version.
    func migrations() throws -> [Migrator.Step]
}

/// A database that is read. All reads see one view of it, until that is renewed.
package protocol CopySource: CopyDatabase {
    /// Whether servers of the engine keep new pending clicks in memory, see ``PendingClickIndex``.
    var hasPendingClicksInMemory: Bool { get }
    /// Replaces the view by one of now.
    func renewView() throws
    /// Whether a server has the database now.
    func isServed() throws -> Bool
}

/// A database that is written, and that no server has meanwhile.
package protocol CopyTarget: CopyDatabase {
    /// Whether a text may contain U+0000.
    var storesNUL: Bool { get }
    func beginWriting() throws
    /// Inserts a row, at the latest by the next ``endInserting()``.
    func insert(_ row: [SQLValue], into table: CopiedTable) throws
    func endInserting() throws
    /// Lets references between rows be broken until ``checkReferences()``, within the present transaction, which has written nothing yet.
    func deferReferences() throws
    /// Fails if a reference that was broken meanwhile still is.
    func checkReferences() throws
    func commit() throws
    func rollBack()
    /// Prepares a complete copy for its use.
    func finish() throws
}

extension CopyTarget {
    /// Runs a closure in a transaction.
    func withTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            try beginWriting()
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }
}

extension Failure {
    /// The failure of opening a database whose copy has not ended, for anything but the copy.
    package static func unfinishedCopy(_ name: String) -> Failure {
        .unusable(
            "The database \(name) holds an unfinished copy. Start linden copy again with the same --from and --to, or remove the "
                + "database.")
    }
}
