import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A server on loopback that answers with scripted bytes, as right or wrong as a test wants them.
struct TestServer: Sendable {
    /// What a connection gets for its request.
    struct Reply: Sendable {
        var start: String
        var end = End.close

        enum End: Sendable {
            case close
            /// Sends no more, and waits for the client to leave.
            case silence
            /// Sends on until the client leaves.
            case endless
            /// Reads no more, so that it does not see when the client ends TLS, and waits for the client to leave.
            case deafness
        }

        static func ok(_ body: String, headers: String = "") -> Reply {
            Reply(start: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
        }

        /// `PORT` in the location stands for the server's own.
        static func redirect(_ location: String, status: Int = 302) -> Reply {
            Reply(start: "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
    }

    let port: Int
    private let tls: NIOSSLContext?
    private let log = Log()

    /// The requests that came, each as its lines.
    var requests: [[String]] { log.requests.withLock { $0 } }
    /// The first words of TLS handshakes that came to a server without TLS.
    var handshakes: [String] { log.handshakes.withLock { $0 } }
    /// Why TLS handshakes failed.
    var tlsErrors: [String] { log.tlsErrors.withLock { $0 } }
    /// How long clients stayed after an answer with ``Reply/End/deafness``.
    var stays: [Duration] { log.stays.withLock { $0 } }

    private static let handshake: UInt8 = 0x16

    private final class Log: Sendable {
        let requests = Mutex<[[String]]>([])
        let handshakes = Mutex<[String]>([])
        let tlsErrors = Mutex<[String]>([])
        let stays = Mutex<[Duration]>([])
    }

    private init(port: Int, tls: NIOSSLContext?) {
        self.port = port
        self.tls = tls
    }

    /// Serves while the test runs, and returns when all clients have left.
    static func run(
        tls: NIOSSLContext? = nil,
        _ reply: @escaping @Sendable (_ path: String) -> Reply,
        test: (TestServer) async throws -> Void
    ) async throws {
        // Connections are wrapped when they are served: NIO traps if a wrapped one is dropped, such as one of a client that left early, which
        // is still being set up when the listener closes.
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return channel
                }
            }
        let server = TestServer(port: try #require(listener.channel.localAddress?.port), tls: tls)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                try await withThrowingDiscardingTaskGroup { connections in
                    try await listener.executeThenClose { inbound in
                        for try await connection in inbound {
                            connections.addTask { await server.serve(connection, reply) }
                        }
                    }
                }
            }
            defer { listener.channel.close(promise: nil) }
            try await test(server)
        }
    }

    private func serve(_ channel: any Channel, _ reply: (String) -> Reply) async {
        do {
            let connection = try await channel.eventLoop.submit {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }.get()
            try await connection.executeThenClose { inbound, outbound in
                try await channel.setOption(.autoRead, value: true).get()
                var chunks = inbound.makeAsyncIterator()
                var received = ""
                while !received.hasSuffix("\r\n\r\n") {
                    guard let chunk = try await chunks.next() else { return }
                    received += String(buffer: chunk)
                    if tls == nil, received.utf8.first == Self.handshake {
                        log.handshakes.withLock { $0.append(received) }
                        return
                    }
                }
                let lines = received.split(separator: "\r\n").map(String.init)
                log.requests.withLock { $0.append(lines) }
                let answer = reply(String(lines[0].split(separator: " ")[1]))
                if case .deafness = answer.end { try await channel.setOption(.autoRead, value: false).get() }
                try await outbound.write(ByteBuffer(string: answer.start.replacing("PORT", with: "\(port)")))
                switch answer.end {
                case .close: break
                case .deafness:
                    let began = ContinuousClock.now
                    try await channel.closeFuture.get()
                    log.stays.withLock { $0.append(.now - began) }
                case .silence: while try await chunks.next() != nil {}
                case .endless:
                    while true {
                        try await outbound.write(ByteBuffer(repeating: UInt8(ascii: "A"), count: 4096))
                        // Lets the server's other connections have their turn.
                        try await Task.sleep(for: .milliseconds(1))
                    }
                }
            }
        } catch let error as NIOSSLError {
            log.tlsErrors.withLock { $0.append("\(error)") }
        } catch {
            // The client has left.
        }
    }
}
