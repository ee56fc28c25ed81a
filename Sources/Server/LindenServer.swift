import Hummingbird
import HummingbirdCore
import Linden
import Logging
import NIOCore

/// The HTTP server of Linden.
package enum LindenServer {
    /// Returns everything but the network, which tests drive through the router.
    package static func responder(services: Services, options: ServerOptions) -> LindenResponder {
        LindenResponder(
            router: router(services: services, options: options).buildResponder(), services: services, options: options)
    }

    /// Returns the method and path of all routes, with parameters in braces.
    package static func calls(services: Services, options: ServerOptions) -> [(method: String, path: String)] {
        router(services: services, options: options).routes.map { ($0.method.rawValue, $0.path.description) }
    }

    private static func router(services: Services, options: ServerOptions) -> Router<LindenContext> {
        let router = Router(context: LindenContext.self)
        router.add(middleware: FailureMiddleware())
        router.add(middleware: BodyBudgetMiddleware(options: options))
        router.add(middleware: AdmissionMiddleware(services: services, options: options))
        router.add(middleware: AddressSecretsMiddleware())
        Routes(services: services, options: options).add(to: router)
        return router
    }

    /// Returns a server that listens once it is run.
    ///
    /// - Parameter onReady: called with the port, which matters if port 0 was requested.
    package static func application(
        services: Services, options: ServerOptions, host: String, port: Int, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> Application<LindenResponder> {
        Application(
            responder: responder(services: services, options: options),
            server: .http1(configuration: http(ClickRoutes(services: services, options: options), options, logger)),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: ConnectionLimits.backlog),
            onServerRunning: { channel in
                try? await channel.setOption(.maxMessagesPerRead, value: ConnectionLimits.acceptsAtOnce).get()
                await onReady(channel.localAddress?.port ?? port)
            },
            logger: logger)
    }

    /// The HTTP/1 configuration, which limits the connections, headers and time of a client before its request is known.
    private static func http(_ clicks: ClickRoutes, _ options: ServerOptions, _ logger: Logger) -> HTTP1Channel.Configuration {
        let limits = options.connections
        let table = ConnectionTable(limits: limits, exempt: options.trustedProxies, logger: logger)
        let unfinished = SharedBudget(ConnectionLimits.unfinishedBytes)
        let unsent = UnsentBudget(ConnectionLimits.unsentBytes)
        let exempt = options.trustedProxies + RateLimits.loopback
        let largestRequest = max(options.maximumBodyBytes, options.maximumBulkBytes) + 2 * ConnectionLimits.headerListBytes
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionAdmission(table: table),
                ConnectionTimeouts(
                    bytes: ReceivedBytes(mostWaitingBytes: largestRequest), header: .seconds(Int64(limits.headerTimeout)),
                    request: .seconds(20), idle: .seconds(60),
                    unfinished: unfinished, exempt: exempt
                ),
                StalledAnswers(timeout: .seconds(20)),
                UnsentBytes(budget: unsent, exempt: exempt),
                VisitHandler(clicks: clicks, logger: logger),
            ],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: ConnectionLimits.headerBytes, maxHeaderListSize: ConnectionLimits.headerListBytes,
                maxHeaderFieldCount: ConnectionLimits.headerCount))
    }
}
