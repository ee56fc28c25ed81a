import ArgumentParser
import Foundation
import Linden
import LindenServices
import Logging
import SQLiteStorage
import Server

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try Linden on a temporary database: an app, a link, a click, and an install that is matched to it.",
        discussion: "Creates an app, then makes the calls over HTTP. The server then runs until Ctrl-C, so that you can try more.")

    @Flag(help: "Stop after the last step. The exit status is 0 only if every step had the expected result.")
    var once = false
    @Option(help: "The port to listen on; 0 for any free one. Default: 8080, or with --once any free one.")
    var port: Int?

    func validate() throws {
        guard (0...65535).contains(port ?? 0) else { throw ValidationError("--port must be from 0 to 65535.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linden-demo-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let settings = Settings.demo(port: port ?? (once ? 0 : 8080), databasePath: folder.appendingPathComponent("linden.db").path)
        try await LindenService(settings: settings).run { services in
            try await DemoStory(apps: services.apps, baseURL: services.baseURL, databasePath: settings.databasePath)
                .tell(keepsServing: !once)
            return once ? .stop : .keepServing
        }
    }
}

extension Settings {
    /// Settings that ignore environment and files: the demo uses nothing but its own database.
    fileprivate static func demo(port: Int, databasePath: String) -> Settings {
        Settings(
            host: "127.0.0.1", port: port, baseURL: nil, trustedProxies: [],
            maximumBodyBytes: ServerOptions.standardBodyBytes, maximumBulkBytes: ServerOptions.standardBulkBytes,
            associationShape: .modern,
            databasePath: databasePath, durability: .full, onClickFailure: .refuse, logLevel: .warning)
    }
}
