import ArgumentParser
import BranchWire
import Foundation
import LindenKernel
import Server

/// The report of a failed command: its message on standard error, as text or as a JSON object, and its exit status.
struct ErrorReport {
    let error: any Error
    /// The command that ran; nil if the arguments name none.
    let command: (any ParsableCommand.Type)?
    let arguments: [String]

    func exit() -> Never {
        let status = LindenCommand.exitCode(for: error)
        // Help and the version are output, not errors.
        guard !status.isSuccess else { LindenCommand.exit(withError: error) }
        // A bare exit status has no message: the command has already printed its findings.
        if !(error is ExitCode) {
            let message = LindenCommand.message(for: error)
            Progress().clear()
            let report = isForPrograms ? json(message.isEmpty ? "Arguments are missing; see --help." : message).text : text(message)
            Output.say(report, asError: true)
        }
        LindenCommand.exit(withError: status)
    }

    /// Whether `--format json` was given. Searches the arguments themselves, since invalid ones cannot be parsed.
    private var isForPrograms: Bool {
        let arguments = arguments.prefix { $0 != "--" }
        return arguments.contains("--format=json") || zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
    }

    /// The error's body as HTTP clients get it.
    private func json(_ message: String) -> JSON {
        if let failure = error as? Failure {
            return ErrorResponse(status: failure.statusCode, message: message, details: failure.details).json
        }
        let isUsage = LindenCommand.exitCode(for: error) == .validationFailure
        return ErrorResponse(status: isUsage ? 400 : 500, message: message).json
    }

    private func text(_ message: String) -> String {
        guard let command, isUsageError else {
            return LindenCommand.fullMessage(for: error) + differences
        }
        // For errors after parsing, the library would show the usage of `linden` itself or none.
        let usage = LindenCommand.usageString(for: command)
        let words = usage.split(separator: " ")
        let name = words.prefix { word in !["<", "[", "-"].contains { word.hasPrefix($0) } }.joined(separator: " ")
        return "Error: \(message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
    }

    /// Whether an argument of the command is invalid, rather than a file or setting.
    private var isUsageError: Bool { error is ValidationError || (error as? Failure)?.code == .invalid }

    /// The fields in which an existing row differs from the request, one per line; empty if there are none.
    private var differences: String {
        let fields = (error as? Failure)?.details["differences"]?.object ?? [:]
        return fields.map { name, values in
            let (stored, sent) = (values.object?["stored"] ?? .null, values.object?["sent"] ?? .null)
            return "\n  \(name): existing \(Self.shown(stored)), requested \(Self.shown(sent))"
        }.joined()
    }

    private static func shown(_ value: JSON) -> String { value.isNull ? "none" : value.text }
}
