import ArgumentParser
import Foundation
import LindenKernel
import SQLStorage
import SQLiteStorage

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a database of a backup.",
        discussion: """
            --database names the new database, whose file must not exist. The backup is copied, and the copy is checked: all of its pages, \
            that no row refers to one that is missing, and that this version knows its schema. The file appears under its name only if it passes.
            """)

    @Argument(help: ArgumentHelp("The backup: a file that linden backup wrote.", valueName: "file"))
    var file: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let target = try await common.settings().database.path(for: "linden restore")
        try Self.checkSource(file)
        try Self.checkTarget(target)
        let progress = Progress()
        let partial = try PartialFile(for: target)
        do {
            try DatabaseCopy.write(from: file, to: partial.path, isAtRest: true) { copied, all in
                progress.show("\(copied >> 20) of \(all >> 20) MiB copied")
            }
            progress.show("Checking the copy")
            let steps = try Self.checked(partial.path, file)
            progress.clear()
            try partial.complete(as: target)
            Output(format: common.format).show([
                "database": .string(target), "restored_from": .string(file),
                "pending_migrations": JSON(steps.filter { $0.appliedAt == nil }.count),
            ])
        } catch {
            partial.remove()
            throw error
        }
    }

    /// Fails with `notFound` or `unusable` unless the backup is a file: a pipe would be waited for without end.
    private static func checkSource(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Failure.notFound("There is no backup at \(path): \(String(cString: strerror(errno))).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure.unusable("\(path) is no file; name one that linden backup wrote, such as linden-20270131T120000Z.db.")
        }
    }

    private static func checked(_ copy: String, _ file: String) throws -> [Migrator.Step] {
        do {
            return try DatabaseInspection.check(copy)
        } catch let failure as Failure {
            throw Failure(failure.code, "\(file) cannot be restored. \(failure.message)")
        }
    }

    /// Fails with `conflict` if there is a database of that name, a server has it, or a part of a former one is left, which SQLite would
    /// apply to the new one.
    private static func checkTarget(_ path: String) throws {
        guard path != ":memory:" else { throw ValidationError("--database must be sqlite: and the path of a file.") }
        if ServerLease.isHeld(path: path) { throw Failure(.conflict, "A server has the database \(path). Stop it first.") }
        for suffix in ["", "-wal", "-journal", "-shm"] where access(path + suffix, F_OK) == 0 {
            throw Failure(
                .conflict, "\(path)\(suffix) exists. Name a new file by --database, or move the files of the old database away.")
        }
    }
}
