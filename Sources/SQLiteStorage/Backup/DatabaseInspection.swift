import LindenKernel
import SQLStorage

/// The examination of a database file at rest, without changing it.
package enum DatabaseInspection {
    /// Returns the migrations of a database that this version can serve.
    ///
    /// Reads all pages, and looks up what foreign keys name. Fails with `unusable` for a damaged file, one of another program, and one of a newer version.
    package static func check(_ path: String) throws -> [Migrator.Step] {
        do {
            let connection = try SQLiteConnection(path: path, access: .atRest)
            defer { connection.close() }
            guard try connection.tables().contains("migrations") else {
                throw Failure.unusable("It is not a database of Linden.")
            }
            if let damage = try connection.damage(within: nil)?.first { throw Failure.unusable("It is damaged: \(damage)") }
            if let broken = try connection.brokenReferences(limit: 1).first { throw Failure.unusable("It is damaged: \(broken)") }
            return try Migrator(connection: connection, clock: .system, translate: SQLiteDialect.translate).steps()
        } catch let error as SQLiteError {
            throw Failure.unusable("It \(error.openingProblem).")
        }
    }
}
