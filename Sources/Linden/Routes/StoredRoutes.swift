import RoutePatterns
import Synchronization

/// An app's stored routes, parsed lazily on first access and once for all requests that share them: most requests need none, and the
/// threads that read the database should not be delayed by parsing.
package final class StoredRoutes: Sendable {
    private let rows: [Route]
    private let read = Mutex<RouteTable?>(nil)

    init(_ rows: [Route]) {
        self.rows = rows
    }

    var table: RouteTable {
        read.withLock { table in
            if let table { return table }
            let new = RouteTable(stored: rows)
            table = new
            return new
        }
    }
}
