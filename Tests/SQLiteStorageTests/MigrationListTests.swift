import Foundation
import Migrations
import Testing

/// The list of migrations, compared with the files in the repository.
@Suite struct MigrationListTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Migrations/SQL").path(percentEncoded: false)

    @Test func everyFileIsInTheListAndEmbeddedAsItIs() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".sql") }.sorted()
        #expect(!files.isEmpty)
        #expect(Migration.all.map(Self.file) == files)
        for migration in Migration.all {
            let bytes = try Data(contentsOf: URL(filePath: Self.folder + "/" + Self.file(migration)))
            #expect(migration.sql == String(decoding: bytes, as: UTF8.self), "\(migration.name)")
        }
    }

    @Test func theNumbersHaveNoGap() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
    }

    /// The name of a migration's file, such as `0004_links.sql`.
    private static func file(_ migration: Migration) -> String {
        let digits = String(migration.number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + migration.name + ".sql"
    }
}
