import ArgumentParser
import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct LinksExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write an app's links as CSV, with their data.",
        discussion: """
            The columns are those that `linden links import` reads, and url, id, created_at and deleted_at. Texts that a spreadsheet would \
            take for a formula begin with an apostrophe, which an import removes.
            """)

    @OptionGroup var app: AppOption
    @OptionGroup var filter: LinkFilterOptions
    @Option(help: "The links created last or first: newest or oldest.")
    var sort: LinkOrder = .newest
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var base: BaseURLOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        if let output { try confirmation.askToReplace([output]) }
        try await common.withServices(baseURL: base.baseUrl) { services in
            let app = try await services.apps.context(app.app)
            var source = try LinkFile(services, try filter.filter(now: WallClock.system.now()), order: sort, of: app)
            guard let output else {
                while let bytes = try await source.next() { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) }
                return
            }
            let temporary = output + ".tmp"
            try PrivateFile.create(temporary)
            guard let file = FileHandle(forWritingAtPath: temporary) else {
                throw Failure.unusable("\(temporary) cannot be written.")
            }
            do {
                while let bytes = try await source.next() { try file.write(contentsOf: Data(bytes)) }
                try file.close()
                try PrivateFile.move(temporary, to: output)
            } catch {
                try? FileManager.default.removeItem(atPath: temporary)
                throw error
            }
        }
    }
}

struct LinksImportCommand: AsyncParsableCommand {
    /// A file of links on the machine of the database may be larger than one that is sent.
    private static let mostRows = 50_000
    private static let mostBytes = 64 << 20

    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Create links from a CSV file.",
        discussion: """
            The first row names the columns, any of: alias, domain, type, channel, feature, campaign, stage, tags, folder, data, duration, \
            expires_at, expired_url, max_clicks. A file of `linden links export` can be read as it is.

            Each row is created, unchanged (a link with this alias and the same content exists) or refused, with the reason; a refused row does \
            not stop the others, and makes the exit status 1. Importing a file twice changes nothing the second time, except that a row \
            without an alias creates a link each time. At most \(mostRows) rows.
            """)

    @Argument(help: "The file, in UTF-8.")
    var file: String
    @OptionGroup var app: AppOption
    @Flag(help: "Check the rows, and create nothing.")
    var dryRun = false
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            let app = try await services.apps.context(app.app)
            let file = try LinkImport(csv: try contents(), services.publicIDs, mostRows: Self.mostRows)
            let progress = Progress()
            let report = try await file.run(services.links, for: app, isDryRun: dryRun) { progress.show("\($0) rows") }
            progress.clear()
            switch common.format {
            case .json: Output(format: .json).show(report.view)
            case .table:
                Output(format: .table).list(report.rows.map(\.view), empty: "")
                let created = "\(report.count(.created)) \(dryRun ? "would be created" : "created")"
                Output.say("\(created), \(report.count(.unchanged)) unchanged, \(report.count(.refused)) refused.")
            }
            if report.count(.refused) > 0 { throw ExitCode.failure }
        }
    }

    private func contents() throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: file) else { throw Failure.unusable("The file \(file) cannot be read.") }
        // Nil for an empty file.
        let data = try handle.read(upToCount: Self.mostBytes + 1) ?? Data()
        guard data.count <= Self.mostBytes else {
            throw Failure.unusable("\(file) has more than \(Self.mostBytes) bytes: split it.")
        }
        return Array(data)
    }
}
