import LinkRouting
import Synchronization

/// An app's routes as they are stored. Their patterns are read when somebody first asks, and once for all who share them: most
/// requests never ask, and the threads that read the database have other apps to serve.
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
