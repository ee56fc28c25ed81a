import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems of a domain, a link or an app.",
        subcommands: [DoctorDomainCommand.self, DoctorLinkCommand.self, DoctorAppCommand.self])
}
