import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why links do not do what they should, and what an app leaves open.",
        subcommands: [DoctorDomainCommand.self, DoctorLinkCommand.self, DoctorAppCommand.self])
}
