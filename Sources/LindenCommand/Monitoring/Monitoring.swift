import Connections
import Foundation
import LindenKernel
import LindenServices
import Logging
import NIOCore
import PrometheusMetrics
import SQLStorage
import Server
import ServiceLifecycle
import Traces

/// What a server offers its monitors: metrics on an address of their own, and a log of requests. Without these settings nothing is
/// measured and nothing runs.
struct Monitoring: Sendable {
    private let address: AdminAddress?
    private let registry: PrometheusRegistry?
    private let requestLog: RequestLog?
    /// Nil if no request is traced.
    let tracer: Tracer?

    init(_ settings: Settings) {
        address = settings.adminAddress
        registry = settings.adminAddress.map { _ in PrometheusRegistry(.all) }
        requestLog = settings.requestLog.map { RequestLog(format: $0) }
        tracer = settings.traces.map { Tracer(share: Double($0.percent) / 100) }
    }

    /// What the storage measures.
    var storage: StorageMetrics { registry.map { StorageMetrics(factory: $0) } ?? StorageMetrics() }

    /// Returns options of the server with what it measures and logs.
    func adding(to options: ServerOptions) -> ServerOptions {
        var options = options
        if let registry { options.metrics = ServerMetrics(factory: registry) }
        options.requestLog = requestLog
        options.tracer = tracer
        return options
    }

    /// Returns the services that serve the metrics and write the log. They must end after the server.
    func services(
        _ services: Services, _ storage: any SQLDatabase, _ settings: Settings, _ certificate: TLSCertificate?,
        _ uploads: UploadRecord?, logger: Logger, quiet: Logger
    ) -> [any Service] {
        var all: [any Service] = requestLog.map { [RequestLogService(log: $0, output: STDOUT_FILENO)] } ?? []
        if let tracer, let traces = settings.traces {
            all.append(TraceService(tracer: tracer, settings: traces, logger: logger))
        }
        guard let registry, let address else { return all }
        if address.isOpen {
            logger.warning(
                "Metrics are served on an address that other machines may reach: http.admin_address should be a private one.",
                metadata: ["address": "\(address)"])
        }
        MetricsSources(
            services: services, storage: storage, settings: settings, requestLog: requestLog, certificate: certificate,
            uploads: uploads
        ).register(in: registry)
        all.append(
            AdminService(
                address: address,
                server: LindenServer.adminService(
                    services: services, metrics: registry, host: address.host, port: address.port, logger: quiet)))
        return all
    }
}

/// The server for monitors, whose errors of listening name the setting.
private struct AdminService: Service {
    let address: AdminAddress
    let server: any Service

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            let reason =
                switch error.errnoCode {
                case EADDRINUSE: "is in use by another program"
                case EACCES: "may not be listened on by this user; use a port above 1023"
                default: "is no address of this machine that can be listened on"
                }
            throw Failure.setting("http.admin_address", "\(address)", "it \(reason)")
        } catch is SocketAddressError {
            throw Failure.setting("http.admin_address", "\(address)", "it must be an address of this machine")
        }
    }
}
