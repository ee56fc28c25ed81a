import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find what is wrong with a domain, a link or an app's settings.",
        subcommands: [DoctorDomainCommand.self, DoctorLinkCommand.self, DoctorAppCommand.self])
}
