import ArgumentParser
import Foundation
import LindenKernel
import LindenReporting
import LindenServices

struct IdentitiesExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all data that is stored about a user, for a request for access.",
        discussion: "Each row has its kind, the time when it was written, and its content.")

    @OptionGroup var user: IdentityOptions
    @Option(name: .customLong("as"), help: "The file's format: csv or ndjson.")
    var form = "csv"
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write. Default: standard output. Asks before it replaces a file.", valueName: "file"))
    var output: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ExportFormat(rawValue: form) != nil else {
            throw ValidationError("--as must be " + ExportFormat.allCases.map(\.rawValue).joined(separator: " or ") + ".")
        }
    }

    func run() async throws {
        if let output { try confirmation.askToReplace([output]) }
        try await common.withServices { services in
            let identity = try await services.identity(user)
            var export = services.subjectRequests.export(identity, as: ExportFormat(rawValue: form) ?? .csv)
            guard let output else {
                while let bytes = try await export.next() { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) }
                return
            }
            // The file is written only once the export is complete, so an error leaves no partial file.
            var file = Data()
            while let bytes = try await export.next() { file.append(contentsOf: bytes) }
            try PrivateFile.write(file, to: output)
            Output(format: common.format).show(["file": .string(output), "rows": JSON(export.count)])
        }
    }
}
