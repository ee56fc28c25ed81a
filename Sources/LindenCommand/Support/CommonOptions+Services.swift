import Foundation
import Linden
import LindenKernel
import LindenServices
import Logging
import OpenID
import SQLStorage
import SQLiteStorage
import Server
import Traces

extension CommonOptions {
    /// Opens the database, runs `body` with the services, and closes the database, also after an error.
    ///
    /// - Parameters:
    ///   - creates: whether a missing database is created.
    ///   - isAlone: whether no server may have the database meanwhile; fails with `conflict`, naming the server, if one has.
    func withServices<Result>(
        baseURL: String? = nil, creates: Bool = false, isAlone: Bool = false, _ body: (Services) async throws -> Result
    ) async throws -> Result {
        let settings = try await settings(flags: ["http.base_url": baseURL])
        var options = SQLiteOptions(durability: settings.durability, readers: 1, analysts: 1, creates: creates)
        if isAlone {
            options.server = ServerLease.Holder(
                processID: ProcessInfo.processInfo.processIdentifier, address: "nothing", baseURL: "a-repair")
        }
        return try await settings.withStorage(options) { storage in
            let services = try await Services(storage: storage, settings: settings)
            return try await OperatorCall.$current.withValue(OperatorCall.command()) { try await body(services) }
        }
    }
}

extension CommonOptions {
    /// The findings on the permissions of the database's files.
    func databaseFindings() async throws -> [Finding] {
        try await settings(flags: [:]).database.files?.findings() ?? []
    }
}

extension Settings {
    /// Returns the free bytes of the disk of the database's file; nil if unknown.
    fileprivate var freeDisk: @Sendable () -> Int64? {
        let path = database.path
        return { path.flatMap { DiskMonitor.freeBytes(at: $0) } }
    }

    var files: ServerFiles {
        let (path, files) = (database.path, database.files)
        let backups = path.flatMap { path in backup.folder.map { BackupFolder(path: $0, database: path) } }
        return ServerFiles(
            database: files == nil ? nil : path, databaseBytes: { files?.bytes }, backupFolder: backup.folder,
            newestBackup: { try backups?.newest().map { ServerFiles.Backup(time: $0.time, bytes: $0.bytes) } },
            findings: { files?.findings() ?? [] })
    }
}

extension DatabaseLocation {
    /// The files of a database of SQLite; nil for one in memory, or on PostgreSQL.
    var files: DatabaseFiles? { path.flatMap { DatabaseFiles(path: $0) } }
}

extension SQLDatabase {
    /// Returns a database that traces its calls.
    fileprivate func traced(by tracer: Tracer) -> any Database { TracedDatabase(self, tracer: tracer) }
}

extension Services {
    /// Creates the services on a database.
    ///
    /// - Parameter listeningOn: the address of the server that is about to start; nil for a command, which then prints links with the base
    ///   URL of the last server.
    /// - Parameter tracer: nil if no call of the database is traced.
    convenience init(
        storage: any SQLDatabase, settings: Settings, listeningOn: BaseURL? = nil, tracer: Tracer? = nil,
        country: @escaping CountryLookup = { _ in nil },
        addressClass: @escaping AddressClassLookup = { _ in .plain }, logger: Logger = Logger(label: "linden")
    ) async throws {
        let key = try await storage.installationKey(random: .system)
        let known = try await storage.read { try $0.knownBaseURL() }
        let baseURL = try settings.baseURL ?? listeningOn ?? known.map { try BaseURL($0) } ?? settings.standardBaseURL()
        let database = tracer.map { storage.traced(by: $0) } ?? storage
        self.init(
            storage: database, installationKey: key, baseURL: baseURL, onClickFailure: settings.onClickFailure,
            textMessageGateway: settings.textMessageGateway.map {
                WebTextMessageGateway(url: $0.url, token: $0.token, logger: logger)
            },
            country: country, addressClass: addressClass, privacy: settings.privacy, retention: settings.retention,
            linkSizes: settings.linkSizes,
            attributionRules: settings.rules,
            adTokens: settings.exchangesAdTokens ? AppleAdTokenService(logger: logger) : nil, limits: settings.limits,
            orders: settings.orders, passwords: standardPasswordHasher(),
            identityProvider: settings.openID.map { OpenIDClient($0, clock: .system) },
            // On the host of the base URL, the dashboard and links have been side by side from the start.
            dashboardHost: settings.dashboard.host == baseURL.host ? nil : settings.dashboard.host,
            minimumFreeDisk: Int64(settings.minimumFreeDisk), freeDisk: settings.freeDisk, files: settings.files,
            logger: logger)
    }
}
