import ArgumentParser
import LindenKernel
import SQLStorage
import SQLiteStorage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create the database or update its schema, and list the applied migrations.",
        discussion: "All other commands update the schema, too; this one does so before a new version is started.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let settings = try await common.settings()
        let steps = try await settings.withStorage(SQLiteOptions(readers: 1, analysts: 1, creates: true, fillsEmptyFile: true)) {
            try await $0.migrations()
        }
        Output(format: common.format).list(
            steps.map { step in
                ["number": JSON(step.number), "name": .string(step.name), "applied_at": JSON(step.appliedAt?.iso8601)]
            }, empty: "There are no migrations.")
    }
}
