import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Watch what happens in an app.", subcommands: [EventsTailCommand.self])
}
