import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import Testing

@Suite struct PostgresValueTests {
    @Test(arguments: [
        ("postgres://linden:secret@db.example.com:5433/links?sslmode=require", "postgres://linden@db.example.com:5433/links"),
        ("postgresql://db.example.com/links?user=linden&password=secret", "postgres://linden@db.example.com/links"),
        ("postgres://a.example,b.example/links?target_session_attrs=read-write", "postgres://a.example,b.example/links"),
    ])
    func anAddressIsShownWithoutItsPassword(uri: String, shown: String) throws {
        #expect(try PostgresAddress(uri).shown == shown)
    }

    @Test func anAddressThatCannotBeReadIsRefusedWithoutItsPassword() {
        let failure = #expect(throws: Failure.self) { try PostgresAddress("postgres://linden:sec%ret@host/links") }
        #expect(failure?.message.contains("sec") == false)
    }

    /// Rows are fetched in portions whose number follows the size of the rows before.
    @Test(.enabled(if: Engine.isPostgres), arguments: [0, 1, 7, 8, 9, 700]) func rowsOfAnySizeAreReadOneAfterTheOther(
        count: Int
    ) async throws {
        try await Installation.run { installation in
            let numbers = try await installation.storage.write { transaction in
                let connection = (transaction as! SQLTransaction).connection
                var numbers: [Int64] = []
                try connection.read(
                    """
                    SELECT number, REPEAT('x', CAST(CASE WHEN number BETWEEN 200 AND 210 THEN 400000 ELSE number END AS INTEGER))
                    FROM GENERATE_SERIES(CAST(1 AS BIGINT), \(count)) AS number ORDER BY number
                    """
                ) { row in
                    let (number, length) = (row.integer(0), Int64(row.text(1).utf8.count))
                    numbers.append(length == number || length == 400_000 ? number : -1)
                    return true
                }
                return numbers
            }
            #expect(numbers == Array(0..<Int64(count)).map { $0 + 1 })
        }
    }

    @Test(.enabled(if: Engine.isPostgres)) func valuesComeBackAsTheyWere() async throws {
        try await Installation.run { installation in
            let texts = ["", "pears", "Birnen für Ä 🍐", "a\\b'c\"d", "\u{1}\u{7F}"]
            let integers = [Int64.min, -1, 0, 7, Int64.max]
            let blobs: [[UInt8]] = [[], [0], [0, 255, 92, 39]]
            try await installation.storage.write { transaction in
                let connection = (transaction as! SQLTransaction).connection
                for text in texts {
                    let found = try connection.first("SELECT CAST(\(text) AS TEXT)") { $0.text(0) }
                    #expect(found == text)
                }
                for integer in integers {
                    let found = try connection.first("SELECT CAST(\(integer) AS BIGINT)") { $0.integer(0) }
                    #expect(found == integer)
                }
                for blob in blobs {
                    let found = try connection.first("SELECT CAST(\(blob) AS BYTEA)") { $0.blob(0) }
                    #expect(found == blob)
                }
                let withNUL = try connection.first("SELECT CAST(\("a\0b") AS TEXT)") { $0.text(0) }
                #expect(withNUL == "a\u{FFFD}b")
                let absent = try connection.first("SELECT CAST(\(String?.none) AS TEXT)") { $0.isNull(0) }
                #expect(absent == true)
            }
        }
    }

    @Test(.enabled(if: Engine.isPostgres)) func aValueOfAnUnexpectedTypeIsAnError() async throws {
        try await Installation.run { installation in
            await #expect(throws: PostgresError.self) {
                try await installation.storage.write { transaction in
                    _ = try (transaction as! SQLTransaction).connection.first("SELECT 1.5") { $0.integer(0) }
                }
            }
        }
    }

    @Test(.enabled(if: Engine.isPostgres)) func rowsAreReadAsFarAsTheyAreWanted() async throws {
        try await Installation.run { installation in
            let (some, all, inner) = try await installation.storage.read { reader in
                let connection = (reader as! SQLTransaction).connection
                var (some, all, inner): (Int64, Int64, Int64) = (0, 0, 0)
                try connection.read(
                    "SELECT number FROM (SELECT generate_series(1, 1000000000) AS number) AS numbers WHERE number > \(2)"
                ) { row in
                    some = row.integer(0)
                    return some < 5
                }
                try connection.read("SELECT number FROM generate_series(1, 2500) AS number") { row in
                    all += row.integer(0)
                    if row.integer(0) == 1 {
                        try connection.read("SELECT number FROM generate_series(1, 3) AS number") {
                            inner += $0.integer(0)
                            return true
                        }
                    }
                    return true
                }
                return (some, all, inner)
            }
            #expect(some == 5)
            #expect(all == 2500 * 2501 / 2)
            #expect(inner == 6)
        }
    }
}
