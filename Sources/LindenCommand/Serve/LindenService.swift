import Foundation
import Hummingbird
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import Logging
import NIOCore
import SQLStorage
import SQLiteStorage
import Server
import ServiceLifecycle
import UnixSignals

/// A server process: storage, HTTP server and background services.
struct LindenService {
    /// The decision of the closure that runs once the server is ready.
    enum Continuation {
        case keepServing
        case stop
    }

    let settings: Settings

    /// Runs until SIGTERM, SIGINT or `whenReady` returning ``Continuation/stop``. `whenReady` runs beside the server once that accepts
    /// connections.
    func run(_ whenReady: @escaping @Sendable (Services) async throws -> Continuation = { _ in .keepServing }) async throws {
        let environment = ProcessInfo.processInfo.environment
        let socket = try InheritedSocket(environment: environment)
        var settings = try settings.listening(on: socket)
        let logger = LindenService.logger(settings.logLevel)
        settings.connections = FileDescriptors.makeRoom(for: settings.connections, logger: logger)
        let sources = try AddressSources(settings, logger: logger)
        let tls = try settings.tls.map { tls in
            TLSCertificateService(certificate: try tls.load(), settings: tls, clock: .system, logger: logger)
        }
        let monitoring = Monitoring(settings)
        var options = SQLiteOptions(
            durability: settings.durability, questionLimit: .seconds(30), checkpoints: true, creates: true,
            server: try settings.leaseHolder(),
            pendingClickLimit: 1_000_000)
        // Connections queue in an inherited socket while the server before this one ends, which takes 30 seconds at most.
        if socket != nil { options.leasePatience = .seconds(60) }
        options.metrics = monitoring.storage
        let manager = ServiceManager(environment: environment)
        do {
            try await settings.withStorage(options, logger: logger) {
                try await serve(settings, $0, sources, monitoring, tls, socket, manager, logger, whenReady)
            }
        } catch {
            throw settings.explained(error)
        }
        logger.info("Linden has stopped.")
    }

    private func serve(
        _ settings: Settings, _ storage: any SQLDatabase, _ sources: AddressSources, _ monitoring: Monitoring,
        _ tls: TLSCertificateService?, _ socket: InheritedSocket?, _ manager: ServiceManager?, _ logger: Logger,
        _ whenReady: @escaping @Sendable (Services) async throws -> Continuation
    ) async throws {
        let services = try await Services(
            storage: storage, settings: settings, listeningOn: settings.standardBaseURL(), tracer: monitoring.tracer,
            country: sources.country, addressClass: sources.addressClass, logger: logger)
        let (readiness, ready) = AsyncStream<Void>.makeStream()
        var options = monitoring.adding(to: settings.serverOptions)
        options.certificate = tls?.certificate
        let server = LindenServer.service(
            services: services, options: options,
            listener: socket.map { .inherited($0.descriptor) } ?? .address(host: settings.host, port: settings.port),
            logger: logger.quietened
        ) {
            logger.info("Linden is ready.", metadata: settings.summary(baseURL: services.baseURL))
            manager?.reportReady()
            ready.finish()
        }
        let isLeader: @Sendable () -> Bool = { storage.isLeader }
        let maintenance = RepeatingService(
            failure: "Maintenance failed; it will be tried again.", logger: logger, isDue: isLeader
        ) {
            try await services.maintenance.runIfDue()
        }
        let deviceCounts = RepeatingService(
            failure: "The devices of a day could not be counted; it will be tried again.", logger: logger, isDue: isLeader
        ) {
            try await services.maintenance.countDevices()
        }
        let pendingClicks = RepeatingService(failure: "Clicks could not be merged; it will be tried again.", logger: logger) {
            try await services.maintenance.mergePendingClicks()
        }
        let proxyFaults = RepeatingService(
            failure: "Faults of proxies could not be reported; it will be tried again.", logger: logger
        ) {
            try await services.proxyFaults.report()
        }
        let refusedURLs = RepeatingService(
            failure: "Refused URLs could not be reported; it will be tried again.", logger: logger
        ) {
            try await services.refusedURLs.report()
        }
        let heldRewards = RepeatingService(
            failure: "Dropped rewards could not be reported; it will be tried again.", logger: logger
        ) {
            try await services.heldRewards.report()
        }
        let limits = RepeatingService(failure: "The free disk space could not be read; it will be tried again.", logger: logger) {
            services.disk.sample()
            storage.reportWaitingWrites()
            services.refusals.report()
            services.unroutedLinks.report()
        }
        let exports = RepeatingService(failure: "An export failed; it will be tried again.", logger: logger, isDue: isLeader) {
            try await services.exports.runJobs()
        }
        let subjectRequests = RepeatingService(
            failure: "An erasure failed; it will be tried again.", logger: logger, isDue: isLeader
        ) {
            try await services.subjectRequests.runAll()
        }
        let exchanges = services.tokenExchanges.map { exchanges in
            RepeatingService(
                failure: "Apple's ad attribution could not be queried; it will be tried again.", logger: logger, isDue: isLeader
            ) {
                try await exchanges.runOnce()
            }
        }
        let schedule = settings.database.path.flatMap { path in
            BackupSchedule(settings.backup, database: path, spare: Int64(settings.minimumFreeDisk), logger: logger)
        }
        let backups = schedule.map { schedule in
            RepeatingService(failure: "A backup failed.", logger: logger) { try await schedule.runIfDue() }
        }
        let optional: [any Service] = [exchanges as (any Service)?, backups, tls].compactMap { $0 }
        let monitors = monitoring.services(
            services, storage, settings, tls?.certificate, schedule?.uploads, logger: logger, quiet: logger.quietened)
        var configuration = ServiceGroupConfiguration(
            services: (monitors + sources.services + optional).map { .init(service: $0) } + [
                .init(service: maintenance), .init(service: deviceCounts), .init(service: pendingClicks),
                .init(service: exports), .init(service: subjectRequests), .init(service: proxyFaults),
                .init(service: refusedURLs), .init(service: heldRewards), .init(service: limits), .init(service: server),
            ] + [.init(service: StopNotice(storage: storage))],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger.quietened)
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                for await _ in readiness {}
                guard !Task.isCancelled else { return }
                // Only after the server listens: one that cannot must not change what commands show for the server that runs.
                try await storage.write {
                    try $0.remember(baseURL: services.baseURL.text)
                    if storage.isLeader { try $0.deleteProxyFaults() }
                }
                try await FirstSetUp(services: services, settings: settings.dashboard, logger: logger).announce()
                ProgramCode.giveBack(afterSeconds: 10)
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { await services.verification.reportDamage(to: logger, storage.health) }
                    guard try await whenReady(services) == .stop else { return }
                    await group.triggerGracefulShutdown()
                }
            }
            do {
                for try await _ in tasks {}
            } catch {
                await group.triggerGracefulShutdown()
                tasks.cancelAll()
                throw error
            }
        }
    }

    /// Creates a logger that writes to the standard error stream.
    private static func logger(_ level: Logger.Level) -> Logger {
        let goesToJournal = Journal.receives(STDERR_FILENO)
        var logger = Logger(label: "linden") { label -> any LogHandler in
            goesToJournal ? JournalLogHandler(label: label) : StreamLogHandler.standardError(label: label)
        }
        logger.logLevel = level
        return logger
    }
}

extension Settings {
    fileprivate func summary(baseURL: BaseURL) -> Logger.Metadata {
        ["listening": "\(host):\(port)", "base_url": "\(baseURL.text)", "database": "\(database.shown)"]
    }

    /// This process as the lease records it for other servers that are started on the same database.
    fileprivate func leaseHolder() throws -> ServerLease.Holder {
        ServerLease.Holder(
            processID: ProcessInfo.processInfo.processIdentifier, address: "\(host.contains(":") ? "[\(host)]" : host):\(port)",
            baseURL: try (baseURL ?? standardBaseURL()).text)
    }

    /// Returns the settings with the address of an inherited socket, or with port 0 replaced by a free port: the base URL contains the port
    /// and is needed before the server listens.
    fileprivate func listening(on socket: InheritedSocket?) throws -> Settings {
        var settings = self
        if let socket {
            (settings.host, settings.port) = (socket.host, socket.port)
        } else if port == 0 {
            settings.port = try FreePort.find(host: host)
        }
        return settings
    }

    /// Translates an error of listening to one about the setting; returns other errors unchanged.
    fileprivate func explained(_ error: any Error) -> any Error {
        if error is SocketAddressError || error is SocketAddressError.UnknownHost {
            return Failure.setting("http.host", host, "it must be an address of this machine")
        }
        guard let error = error as? IOError else { return error }
        let place = "\(host):\(port)"
        return switch error.errnoCode {
        case EADDRINUSE: Failure.setting("http.port", "\(port)", "\(place) is in use by another program; use --port")
        case EACCES: Failure.setting("http.port", "\(port)", "this user may not listen on \(place); use a port above 1023")
        case EADDRNOTAVAIL: Failure.setting("http.host", host, "it must be an address of this machine")
        default: error
        }
    }
}

extension Logger {
    /// A logger for libraries: at least level warning, unless the operator's level is debug or trace.
    fileprivate var quietened: Logger {
        var logger = self
        if logLevel > .debug { logger.logLevel = max(logLevel, .warning) }
        return logger
    }
}
