import Foundation
import Hummingbird
import Linden
import Logging
import NIOCore
import SQLiteStorage
import Server
import ServiceLifecycle
import UnixSignals

/// A running server: its storage, its HTTP server and its housekeeping.
struct LindenService {
    let settings: Settings

    /// Runs until it is told to stop.
    ///
    /// - Parameter onReady: called once, when the server answers.
    func run(onReady: @escaping @Sendable (Services) async -> Void = { _ in }) async throws {
        let logger = LindenService.logger(settings.logLevel)
        let storage = try SQLiteStorage(
            path: settings.databasePath, options: SQLiteOptions(durability: settings.durability, checkpoints: true))
        do {
            try await serve(storage, logger, onReady)
            await storage.shutdown()
        } catch {
            await storage.shutdown()
            throw explained(error)
        }
        logger.info("Linden has stopped.")
    }

    private func serve(
        _ storage: SQLiteStorage, _ logger: Logger, _ onReady: @escaping @Sendable (Services) async -> Void
    ) async throws {
        let services = try await Services(storage: storage, settings: settings, listeningOn: settings.standardBaseURL())
        let server = LindenServer.application(
            services: services, options: settings.serverOptions, host: settings.host, port: settings.port, logger: logger
        ) { port in
            logger.info(
                "Linden is ready.",
                metadata: [
                    "listening": "\(settings.host):\(port)", "base_url": "\(services.baseURL.text)",
                    "database": "\(settings.databasePath)",
                ])
            await onReady(services)
        }
        let housekeeping = HousekeepingService(housekeeping: services.housekeeping, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: housekeeping), .init(service: server)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
        try await group.run()
    }

    private func explained(_ error: any Error) -> any Error {
        guard let error = error as? IOError else { return error }
        let place = "\(settings.host):\(settings.port)"
        return switch error.errnoCode {
        case EADDRINUSE:
            Failure.setting("http.port", String(settings.port), "another program listens on \(place) already; use --port")
        case EACCES:
            Failure.setting("http.port", String(settings.port), "this user may not listen on \(place); use a port above 1023")
        case EADDRNOTAVAIL: Failure.setting("http.host", settings.host, "it must be an address of this machine")
        default: error
        }
    }

    /// Logs go to the standard error stream.
    static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "linden") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
