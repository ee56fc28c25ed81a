import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Other transactions wait while outdated rows are deleted, so a transaction deletes only so many rows and bytes.
@Suite struct OutdatedRowsTests {
    @Test(arguments: [(bytes: 600_000, together: 7), (bytes: 10, together: 20)])
    func rowsWithMuchContentAreDeletedInPortions(bytes: Int, together: Int) async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 3)
            try await traffic.happen(1, in: installation)
            try await installation.sql { connection in
                try connection.execute("DELETE FROM events")
                let (first, body) = (IDGenerator.first(at: installation.clock.now), String(repeating: "g", count: bytes))
                for id in first..<first + 20 {
                    try connection.execute(
                        """
                        INSERT INTO events (id, app_id, mode, endpoint, kind, name, body) VALUES (\(id), 1, 0, 'v2/event/custom', 0, 'pear', \(body))
                        """)
                }
            }
            installation.clock.advance(by: .seconds(86_400))
            try await installation.services.rollups.aggregate()
            let later = installation.clock.now
            var counts: [Int] = []
            while let rows = try await installation.storage.read({ try $0.nextOutdatedRows(of: .events, before: later) }) {
                try await installation.storage.write { try $0.remove(rows, of: .events) }
                counts.append(rows.count)
            }
            #expect(counts.first == together)
            #expect(counts.reduce(0, +) == 20)
            #expect(try await installation.count("SELECT COUNT(*) FROM events") == 0)
        }
    }
}
