import ArgumentParser
import Linden
import SQLStorage
import SQLiteStorage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database's schema up to date and list its steps.",
        discussion: "`linden serve` and all other commands do so too; this one is for doing it ahead of an upgrade.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let settings = try await common.settings()
        let steps = try await settings.withStorage(SQLiteOptions(readers: 1)) { try await $0.migrations() }
        Output(format: common.format).list(
            steps.map { step in
                ["number": JSON(step.number), "name": .string(step.name), "applied_at": JSON(step.appliedAt?.iso8601)]
            }, empty: "There are no migrations.")
    }
}
