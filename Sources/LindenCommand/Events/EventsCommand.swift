import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Watch an app's clicks, sessions and events.", subcommands: [EventsTailCommand.self])
}
