import Hummingbird
import HummingbirdCore
import LindenServices
import Logging
import NIOCore

/// The HTTP server of Linden.
package enum LindenServer {
    /// Returns everything but the network, which tests drive through the router.
    package static func responder(services: Services, options: ServerOptions) -> LindenResponder {
        Routes(services: services, options: options).responder()
    }

    /// Returns the method and path of all routes, with parameters in braces.
    package static func calls(services: Services, options: ServerOptions) -> [(method: String, path: String)] {
        Routes(services: services, options: options).router().routes.map { ($0.method.rawValue, $0.path.description) }
    }

    /// Returns a server that listens once it is run.
    ///
    /// - Parameter onReady: called with the port, which matters if port 0 was requested.
    package static func application(
        services: Services, options: ServerOptions, host: String, port: Int, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> Application<LindenResponder> {
        let routes = Routes(services: services, options: options)
        let pipeline = ConnectionPipeline(clicks: routes.clicks, options: options, logger: logger)
        return Application(
            responder: routes.responder(),
            server: HTTPServerBuilder { ConnectionChannel(responder: $0, pipeline: pipeline) },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: ConnectionLimits.backlog),
            onServerRunning: { channel in
                try? await channel.setOption(.maxMessagesPerRead, value: ConnectionLimits.acceptsAtOnce).get()
                await onReady(channel.localAddress?.port ?? port)
            },
            logger: logger)
    }
}
