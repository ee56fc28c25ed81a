import Foundation
import LindenKernel
import LindenTesting
import PostgresStorage
import Testing

/// A database that cannot be used stops the start with one line that says why.
@Suite(.enabled(if: Engine.isPostgres)) struct PostgresOpeningTests {
    @Test(arguments: [
        ("ENCODING 'SQL_ASCII' LOCALE 'C'", "has the encoding SQL_ASCII, and must have UTF8: createdb "),
        ("ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'", "sorts texts by a language, and must have the locale C"),
    ])
    func aDatabaseOfAnotherEncodingOrLocaleIsRefused(creation: String, problem: String) async throws {
        let message = try await Self.message(creation: creation)
        #expect(message.contains(problem))
    }

    @Test func aDatabaseThatCannotBeWrittenIsRefused() async throws {
        let message = try await Self.message(changes: "ALTER DATABASE %@ SET default_transaction_read_only = on")
        #expect(message.contains("cannot be written: it is read-only"))
    }

    @Test func anotherProgramsDatabaseIsRefused() async throws {
        let message = try await Self.message(tables: "CREATE TABLE orders (id INTEGER)")
        #expect(message.contains("it has another program's tables"))
    }

    @Test func aDatabaseThatDoesNotExistIsNamedWithoutItsPassword() async throws {
        let address = try Engine.postgresAddress(named: "linden_absent", password: "pears")
        let failure = #expect(throws: Failure.self) { try PostgresStorage.migrate(address) }
        let message = try #require(failure?.message)
        #expect(message.contains("\"linden_absent\" does not exist"))
        #expect(!message.contains("pears"))
        #expect(!message.contains("\n"))
    }

    @Test func aDatabaseWithoutTablesIsRefusedToACommandThatMakesNone() async throws {
        let failure = try await Self.failure { try PostgresStorage(address: $0) }
        #expect(failure.code == .notFound)
    }

    private static func message(
        creation: String = "ENCODING 'UTF8' LOCALE 'C'", changes: String? = nil, tables: String? = nil
    ) async throws -> String {
        try await failure(creation: creation, changes: changes, tables: tables) { try PostgresStorage.migrate($0) }.message
    }

    /// Creates a database, and returns how it is refused.
    private static func failure<Value>(
        creation: String = "ENCODING 'UTF8' LOCALE 'C'", changes: String? = nil, tables: String? = nil,
        _ open: (PostgresAddress) throws -> Value
    ) async throws -> Failure {
        let name = "linden_test_\(UUID().uuidString.prefix(8).lowercased())"
        try Engine.postgres("CREATE DATABASE \(name) TEMPLATE template0 \(creation)")
        defer { try? Engine.postgres("DROP DATABASE \(name) WITH (FORCE)") }
        if let changes { try Engine.postgres(changes.replacingOccurrences(of: "%@", with: name)) }
        if let tables { try Engine.postgres(tables, on: name) }
        do {
            _ = try open(Engine.postgresAddress(named: name))
            throw Failure.invalid("It was opened.")
        } catch let failure as Failure {
            return failure
        }
    }
}
