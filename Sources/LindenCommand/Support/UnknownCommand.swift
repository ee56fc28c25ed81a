import ArgumentParser
import LindenKernel

/// An unknown subcommand, found in the arguments before they are parsed: the library would report its options instead.
struct UnknownCommand {
    let name: String
    /// The command that lacks the subcommand.
    let parent: any ParsableCommand.Type

    /// Returns nil if the arguments begin with the names of existing commands.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var parent = root
        for argument in arguments {
            let commands = parent.configuration.subcommands
            guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let command = commands.first(where: { $0._commandName == argument }) else {
                self.name = argument
                self.parent = parent
                return
            }
            parent = command
        }
        return nil
    }

    var error: ValidationError {
        let names = parent.configuration.subcommands.map { $0._commandName }
        let near = Spelling.nearest(to: name, in: names).map { " Did you mean \($0)?" } ?? ""
        return ValidationError("\"\(name)\" is not a command.\(near) The commands are: \(names.joined(separator: ", ")).")
    }
}
