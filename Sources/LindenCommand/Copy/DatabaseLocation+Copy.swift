import Foundation
import LindenKernel
import SQLStorage
import SQLiteStorage

#if PostgreSQL
    import PostgresStorage
#endif

extension DatabaseLocation {
    /// Opens the database to read it in a copy.
    func copySource() throws -> any CopySource {
        switch self {
        case .sqlite(let path): return try SQLiteCopySource(path: path)
        #if PostgreSQL
            case .postgres(let address): return try PostgresCopySource(address: address)
        #endif
        }
    }

    /// Opens the database as the target of a copy, and creates it on SQLite.
    func copyTarget() throws -> any CopyTarget {
        switch self {
        case .sqlite(let path):
            guard path != ":memory:" else {
                throw Failure.unusable("--to must name a file: a database in memory would end with the copy.")
            }
            let holder = ServerLease.Holder(
                processID: ProcessInfo.processInfo.processIdentifier, address: "nothing", baseURL: "a-copy")
            return try SQLiteCopyTarget(path: path, holder: holder)
        #if PostgreSQL
            case .postgres(let address): return try PostgresCopyTarget(address: address)
        #endif
        }
    }
}
