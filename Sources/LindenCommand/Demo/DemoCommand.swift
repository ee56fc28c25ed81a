import ArgumentParser
import Foundation
import Linden
import LindenKernel
import LindenServices
import Logging
import SQLiteStorage
import Server

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract:
            "Try Linden on a temporary database: two months of made-up data, a link, a click, and an install matched to it.",
        discussion: """
            Creates an app with data, starts a server, and makes the calls over HTTP. Then prints the address of the dashboard with a name \
            and a password. The server runs until Ctrl-C, so that you can try more; the database is deleted then.
            """)

    @Flag(help: "Make no data, and stop after the last step. The exit status is 0 only if every step had the expected result.")
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

        var settings = Settings.demo(
            port: port ?? (once ? 0 : 8080), databasePath: folder.appendingPathComponent("linden.db").path)
        if settings.port == 0 { settings.port = try FreePort.find(host: settings.host) }
        let filled = once ? nil : try await fill(settings)
        try await LindenService(settings: settings).run { [settings] services in
            let app: CreatedApp
            if let filled { app = filled.app } else { app = try await services.apps.create(DemoStory.app) }
            let story = DemoStory(app: app, baseURL: services.baseURL, databasePath: settings.database.shown)
            let url = try await story.tell()
            guard let filled else { return .stop }
            story.sayWhatNext(url, filled.access)
            return .keepServing
        }
    }

    private func fill(_ settings: Settings) async throws -> (app: CreatedApp, access: DemoAccess?) {
        DemoStory.say("Two months of an app's data are made up …\n")
        return try await DemoMonths.fill(settings, until: WallClock.system.now())
    }
}

extension Settings {
    /// Settings that ignore environment and files: the demo uses nothing but its own database.
    fileprivate static func demo(port: Int, databasePath: String) -> Settings {
        Settings(
            host: "127.0.0.1", port: port, baseURL: nil, trustedProxies: [],
            maximumBodyBytes: ServerOptions.standardBodyBytes, maximumBulkBytes: ServerOptions.standardBulkBytes,
            associationShape: .modern,
            database: .sqlite(path: databasePath), durability: .full, onClickFailure: .refuse, logLevel: .warning)
    }
}
