import ArgumentParser
import Foundation

/// Asks before something is deleted, if there is somebody to ask.
struct Confirmation: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    /// Ends the command with status 1 if the answer is no.
    func ask(_ question: String) throws {
        guard !yes, isatty(STDIN_FILENO) == 1 else { return }
        Output.say(question + " [y/N]")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { throw ExitCode.failure }
    }
}
