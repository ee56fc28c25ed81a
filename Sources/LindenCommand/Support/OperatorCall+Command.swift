import ArgumentParser
import Foundation
import LindenServices

extension OperatorCall {
    /// The call of the command that runs, by the account of the operating system.
    static func command() -> OperatorCall {
        OperatorCall(
            .command, action: LindenCommand.name(in: Array(CommandLine.arguments.dropFirst())), address: hostName,
            actor: .command(by: NSUserName()))
    }

    /// The name of this machine, which is not looked up in the network.
    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension LindenCommand {
    /// Returns the name of the command in arguments, such as `linden links update`, without its own arguments, which may be secret.
    static func name(in arguments: [String]) -> String {
        var (names, command): ([String], any ParsableCommand.Type) = ([Self._commandName], Self.self)
        for argument in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == argument }) else { break }
            names.append(argument)
            command = next
        }
        return names.joined(separator: " ")
    }
}
