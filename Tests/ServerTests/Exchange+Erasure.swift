import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// A value of the database that contains personal data.
struct Trace: Hashable {
    let table: String
    let column: String
    let value: String
}

extension Exchange {
    func people(on storage: any Database) -> IdentityDataService {
        let links = LinkDirectory(
            storage: storage.domain, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
        return IdentityDataService(storage: storage, links: links, publicIDs: services.publicIDs)
    }

    func people(failingAfter writes: Int) -> IdentityDataService {
        people(
            on: HookedStorage(installation.storage) { write in
                if write >= writes { throw Failure.unavailable("The database is gone.") }
            })
    }

    /// Returns every value of the whole database that contains one of the texts.
    func traces(of texts: [String]) async throws -> [Trace] {
        try await installation.storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            let columns = try connection.query(
                """
                SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table'
                """
            ) { (table: $0.text(0), column: $0.text(1)) }
            return try columns.flatMap { table, column in
                try connection.query(SQL(text: "SELECT COALESCE(CAST(\"\(column)\" AS TEXT), '') FROM \"\(table)\"", values: [])) {
                    $0.text(0)
                }.filter { value in texts.contains { value.contains($0) } }.map { Trace(table: table, column: column, value: $0) }
            }
        }
    }
}
