import Foundation
import Linden
import SQLiteStorage

extension CommonOptions {
    /// Opens the database, does something with the services, and closes it again, whatever happens.
    func withServices<Result>(baseURL: String? = nil, _ body: (Services) async throws -> Result) async throws -> Result {
        let settings = try await settings(flags: ["http.base_url": baseURL])
        let storage = try SQLiteStorage(
            path: settings.databasePath, options: SQLiteOptions(durability: settings.durability, readers: 1))
        do {
            let services = try await Services(storage: storage, settings: settings)
            let result = try await body(services)
            await storage.shutdown()
            return result
        } catch {
            await storage.shutdown()
            throw error
        }
    }
}

extension Services {
    /// - Parameter listeningOn: the address of the server that is about to start; nil for a command beside it, which then shows
    ///   links as that server does.
    init(storage: SQLiteStorage, settings: Settings, listeningOn: BaseURL? = nil) async throws {
        let key = try await storage.installationKey(random: .system)
        let known = try await storage.read { try $0.knownBaseURL() }
        let baseURL = try settings.baseURL ?? listeningOn ?? known.map { try BaseURL($0) } ?? settings.standardBaseURL()
        if listeningOn != nil, baseURL.text != known {
            try await storage.write { try $0.remember(baseURL: baseURL.text) }
        }
        self.init(storage: storage, installationKey: key, baseURL: baseURL, onClickFailure: settings.onClickFailure)
    }
}
