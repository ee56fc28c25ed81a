import ArgumentParser
import Foundation
import LindenKernel

@main
struct LindenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linden",
        abstract: "Self-hosted deep links and attribution for mobile apps.",
        discussion: """
            Works with unmodified Branch SDKs: configure them with the address of `linden serve`.

            Settings come from the command line, then the environment (LINDEN_HTTP_PORT for http.port), then the file named by \
            --config or LINDEN_CONFIG. Config/linden.yaml lists them all.

            A command that removes something for good asks first; in scripts, --yes answers. Answers go to the standard output, messages \
            to the standard error stream: with --format json an error is an object there, with the code that it has over HTTP. The exit \
            status is 0, 1 for what failed, or 64 for wrong usage.
            """,
        version: LindenVersion.description,
        subcommands: [
            ServeCommand.self, DemoCommand.self, MigrateCommand.self, AppsCommand.self, DomainsCommand.self, TokensCommand.self,
            UsersCommand.self, LinksCommand.self, RoutesCommand.self, SessionsCommand.self, ExplainCommand.self, ReplayCommand.self,
            IdentitiesCommand.self, ObjectsCommand.self, CreditsCommand.self, RewardsCommand.self, RatesCommand.self,
            EventsCommand.self, ExportCommand.self, QueryCommand.self, SharesCommand.self, BackupCommand.self, RestoreCommand.self,
            CopyCommand.self, PruneCommand.self, VerifyCommand.self, StatusCommand.self, TopCommand.self, AuditCommand.self,
            DoctorCommand.self, BenchDataCommand.self,
        ])

    static func main() async {
        // Only the owner gets access: the database, the files that SQLite creates beside it and exports hold keys or personal data.
        umask(0o077)
        let arguments = Array(CommandLine.arguments.dropFirst())
        var type: (any ParsableCommand.Type)?
        do {
            if let unknown = UnknownCommand(in: arguments, of: LindenCommand.self) {
                type = unknown.parent
                throw unknown.error
            }
            var command = try await asyncParseAsRoot(arguments)
            type = Swift.type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            ErrorReport(error: error, command: type, arguments: arguments).exit()
        }
    }
}
