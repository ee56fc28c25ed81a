import HTTPTypes
import Hummingbird
import HummingbirdCore
import LindenServices
import Logging
import NIOCore
import PrometheusMetrics
import ServiceLifecycle

extension LindenServer {
    /// Returns a server for monitors, on an address of its own: links' hosts serve no metrics. Once it is run, it answers `/metrics` and the
    /// health checks, also while the other one has too many connections.
    package static func adminService(
        services: Services, metrics: PrometheusRegistry, host: String, port: Int, logger: Logger
    ) -> any Service {
        Application(
            responder: adminRouter(services: services, metrics: metrics).buildResponder(),
            server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)), logger: logger)
    }

    /// Returns the routes for monitors.
    static func adminRouter(services: Services, metrics: PrometheusRegistry) -> Router<LindenContext> {
        let router = Router(context: LindenContext.self)
        router.add(middleware: FailureMiddleware())
        let health = HealthRoutes(disk: services.disk, clock: services.clock, storage: services.storage)
        router.get("/healthz", use: health.live)
        router.get("/readyz", use: health.ready)
        router.get("/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: await metrics.text())))
        }
        return router
    }
}
