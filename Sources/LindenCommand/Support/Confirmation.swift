import ArgumentParser
import Foundation
import LindenKernel

/// The confirmation that a command asks for before it removes something for good. Without a terminal the command refuses unless `--yes` is
/// given.
struct Confirmation: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation; required without a terminal.")
    var yes = false

    /// Asks a question. Exits with status 1 if the answer is not yes; fails with a usage error if there is no terminal.
    func ask(_ question: String) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("\(question) There is no terminal for the question: confirm with --yes.")
        }
        Output.say(question + " [y/N]")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            Output.say("Nothing was changed.")
            throw ExitCode.failure
        }
    }

    /// Asks before existing files are replaced. Fails with `unusable` for a path that is not a regular file or symbolic link.
    func askToReplace(_ paths: [String]) throws {
        var existing: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard !isFolder.boolValue, type == .typeRegular || type == .typeSymbolicLink else {
                throw Failure.unusable("\(path) is not a regular file and cannot be replaced: use another path.")
            }
            existing.append(path)
        }
        if !existing.isEmpty { try ask("Replace \(existing.joined(separator: " and "))?") }
    }
}
