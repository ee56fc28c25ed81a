import Connections
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LindenKernel
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP server: it accepts connections, and when it stops it closes none that it has accepted without an answer.
///
/// Hummingbird's `Application` would leave connections that arrive at that moment open and unanswered until the process ends, and it opens
/// its socket itself. The rest here is what it does: it makes the context of each request, and adds the date to each response.
struct ConnectionServer: Service {
    let listener: LindenServer.Listener
    let responder: LindenResponder
    let pipeline: ConnectionPipeline
    let logger: Logger
    /// Called with the server's channel once it accepts connections.
    let onReady: @Sendable (any Channel) async -> Void

    func run() async throws {
        let connections = ConnectionChannel(responder: respond, pipeline: pipeline)
        let quiescing = ServerQuiescingHelper(group: ConnectionLoops.group)
        let server = try await listen(connections, quiescing)
        await withGracefulShutdownHandler {
            await onReady(server.channel)
            await serve(server, connections)
        } onGracefulShutdown: {
            // NIO closes connections that it has accepted and not yet set up when the server's channel closes. So first no more are accepted.
            let channel = server.channel
            channel.setOption(.autoRead, value: false).whenComplete { _ in
                channel.eventLoop.scheduleTask(in: Self.setUpTime) { quiescing.initiateShutdown(promise: nil) }
            }
        }
    }

    private func listen(
        _ connections: ConnectionChannel, _ quiescing: ServerQuiescingHelper
    ) async throws -> NIOAsyncChannel<ConnectionChannel.Value, Never> {
        let bootstrap = ServerBootstrap(group: ConnectionLoops.group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .serverChannelOption(.backlog, value: CInt(ConnectionLimits.backlog))
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        switch listener {
        case .address(let host, let port):
            return try await bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port) {
                [logger] channel in connections.setup(channel: channel, logger: logger)
            }
        case .inherited(let socket):
            return try await bootstrap.bind(socket) { [logger] channel in
                connections.setup(channel: channel, logger: logger)
            }
        }
    }

    /// The time in which a connection is set up once it is accepted; it takes less than a millisecond on an idle machine.
    private static let setUpTime: TimeAmount = .milliseconds(200)

    /// Handles connections until the server's channel is closed and all of them are.
    private func serve(_ server: NIOAsyncChannel<ConnectionChannel.Value, Never>, _ connections: ConnectionChannel) async {
        await withDiscardingTaskGroup { group in
            do {
                try await server.executeThenClose { accepted in
                    for try await connection in accepted {
                        group.addTask { [logger] in await connections.handle(value: connection, logger: logger) }
                    }
                }
            } catch {
                logger.error("Connections could not be accepted.", metadata: ["error": "\(error)"])
            }
        }
    }

    private func respond(to request: Request, with writer: consuming ResponseWriter, on channel: any Channel) async throws {
        let context = LindenContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            // The connection's loop answers it.
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = HTTPDate.now
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // The connection's loop would write a second response.
            throw UnreadableBody()
        }
    }

    private struct UnreadableBody: Error {}
}
