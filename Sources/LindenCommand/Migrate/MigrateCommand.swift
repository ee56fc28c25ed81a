import ArgumentParser
import LindenKernel
import SQLStorage
import SQLiteStorage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create the database or update its schema, and list the applied migrations.",
        discussion: """
            All other commands and each server update the schema, too. While a server has the database's file, only a server of a later minor \
            version does, at its start, and commands of that version are refused until then.
            """)

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
