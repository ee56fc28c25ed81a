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
        let associations = AssociationDirectory(storage: storage.domain, baseURL: services.baseURL)
        let caches = AppCaches(apps: services.directory, links: links, associations: associations)
        return IdentityDataService(storage: storage, caches: caches, publicIDs: services.publicIDs)
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
            return try Engine.columns(connection).flatMap { column in
                try connection.query(SQL(text: "SELECT COALESCE(\(column.shown), '') FROM \"\(column.table)\"", values: [])) {
                    $0.text(0)
                }.filter { value in texts.contains { value.contains($0) } }.map {
                    Trace(table: column.table, column: column.name, value: $0)
                }
            }
        }
    }
}
