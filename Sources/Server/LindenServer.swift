import Connections
import Hummingbird
import LindenServices
import Logging
import NIOCore
import ServiceLifecycle

/// The HTTP server of Linden.
package enum LindenServer {
    /// Returns everything but the network, which tests drive through the router.
    package static func responder(services: Services, options: ServerOptions) -> LindenResponder {
        Routes(services: services, options: options).responder()
    }

    /// Returns the method and path of all routes, with parameters in braces.
    package static func calls(services: Services, options: ServerOptions) -> [(method: String, path: String)] {
        Routes(services: services, options: options).router().routes.map { ($0.method.rawValue, $0.path) }
    }

    /// Where a server accepts connections.
    package enum Listener: Sendable {
        case address(host: String, port: Int)
        /// A listening socket that was handed to this process, by its file descriptor.
        case inherited(CInt)
    }

    /// Returns a server that accepts connections once it is run.
    ///
    /// - Parameter onReady: called when it does.
    package static func service(
        services: Services, options: ServerOptions, listener: Listener, logger: Logger,
        onReady: @escaping @Sendable () async -> Void = {}
    ) -> any Service {
        let routes = Routes(services: services, options: options)
        let responder = routes.responder()
        let pipeline = ConnectionPipeline(clicks: routes.clicks, responder: responder, options: options, logger: logger)
        let begin: @Sendable (any Channel) async -> Void = { channel in
            try? await channel.setOption(.maxMessagesPerRead, value: ConnectionLimits.acceptsAtOnce).get()
            await onReady()
        }
        return ConnectionServer(
            listener: listener, responder: responder, pipeline: pipeline, logger: logger, onReady: begin)
    }
}
