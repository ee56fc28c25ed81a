import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// What the audit log reads of statements, and which tables it records.
@Suite struct AuditedTableTests {
    @Test(.enabled(if: Engine.isSQLite)) func everyTableIsRecordedOrNot() async throws {
        try await Installation.run { installation in
            let tables = try await installation.texts(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            let recorded = AuditedTable.all.map(\.name)
            #expect(Set(tables) == Set(recorded).union(AuditedTable.unrecorded))
            #expect(Set(recorded).isDisjoint(with: AuditedTable.unrecorded))
            #expect(Set(recorded).count == recorded.count)
        }
    }

    @Test func aWritesRowsAreFoundByItsText() throws {
        let update = try #require(
            WriteStatement("UPDATE links SET tags = (SELECT a FROM b WHERE c = $1),\n    x = $2\nWHERE id = $3 AND y IS NULL"))
        #expect(update.table == "links")
        guard case .matching(let condition) = update.rows else { throw Unexpected() }
        #expect(condition == "id = $3 AND y IS NULL")

        let returning = try #require(WriteStatement("DELETE FROM domains WHERE host = $1 RETURNING host"))
        guard case .matching(let found) = returning.rows else { throw Unexpected() }
        #expect(found == "host = $1")
        guard case .matching(nil) = try #require(WriteStatement("DELETE FROM rates")).rows else { throw Unexpected() }

        let insert = try #require(
            WriteStatement(
                "INSERT INTO app_routes\n    (app_id, position, id)\nVALUES ($1, (SELECT MAX(p, 0) FROM r), $2)\nON CONFLICT DO NOTHING"
            ))
        #expect(insert.table == "app_routes")
        guard case .inserted(let values) = insert.rows else { throw Unexpected() }
        #expect(values["app_id"] == "$1" && values["id"] == "$2")

        #expect(WriteStatement("SELECT id FROM links WHERE id = $1") == nil)
    }

    @Test(arguments: [
        "INSERT INTO links (id, path) VALUES ($1, $2), ($3, $4)", "INSERT INTO links (id, path) SELECT id, path FROM others",
        "INSERT INTO links (id) SELECT id FROM others WHERE path IN (VALUES ($1))",
        "INSERT INTO links (id, path) VALUES ($1)",
    ])
    func aWriteWhoseRowsItDoesNotFindIsAnError(text: String) async throws {
        guard case .unknown = try #require(WriteStatement(text)).rows else { throw Unexpected() }
    }

    @Test func aPartOfAStatementKeepsItsValues() {
        let sql = SQL("SELECT id FROM links WHERE ", "a = $3 AND b = $1 OR c = $3", of: [.integer(1), .integer(2), .integer(3)])
        #expect(sql.text == "SELECT id FROM links WHERE a = $1 AND b = $2 OR c = $3")
        let numbers = sql.values.map { value in if case .integer(let number) = value { number } else { Int64(0) } }
        #expect(numbers == [3, 1, 3])
    }

    private struct Unexpected: Error {}
}
