import Hummingbird
import HummingbirdCore
import Linden
import Logging
import NIOCore

/// Linden over HTTP.
package enum LindenServer {
    /// Everything but the network: what tests drive through the router.
    package static func responder(services: Services, options: ServerOptions) -> LindenResponder {
        let router = Router(context: LindenContext.self)
        router.add(middleware: FailureMiddleware())
        Routes(services: services, options: options).add(to: router)
        return LindenResponder(router: router.buildResponder())
    }

    /// A server that listens once it is run.
    ///
    /// - Parameter onReady: is given the port, which matters if 0 was asked for.
    package static func application(
        services: Services, options: ServerOptions, host: String, port: Int, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> Application<LindenResponder> {
        Application(
            responder: responder(services: services, options: options),
            server: .http1(configuration: http),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            logger: logger)
    }

    /// An address of a megabyte is read to its end, so that it can be answered with an error that says what is allowed; slow and
    /// idle clients are not waited for.
    private static var http: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [SlowRequestHandler(timeout: .seconds(20))],
            idleTimeout: .seconds(60),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 2 << 20, maxHeaderListSize: 3 << 20, maxHeaderFieldCount: 200))
    }
}
