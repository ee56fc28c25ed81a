import HTTPTypes
import LindenKernel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

@testable import Connections
@testable import Server

/// A connection behind the real parser, with a clock that the tests advance.
struct ParsedConnection {
    private let channel = EmbeddedChannel()
    /// What the table of connections knows of it.
    let connection: OpenConnection

    var now: NIODeadline { channel.embeddedEventLoop.now }
    var isOpen: Bool { channel.isActive }
    /// Whether the request being read was aborted.
    var hasFailed: Bool { (try? channel.throwIfErrorCaught()) == nil }

    /// - Parameter unfinished: the budget of unfinished requests, a quarter of which one address may use.
    /// - Parameter proxy: the address of a trusted proxy from which the connection comes.
    init(unfinished: RequestBudget = RequestBudget(1 << 20), from proxy: String? = nil) throws {
        let proxies = [proxy.flatMap { Network($0 + "/32") }].compactMap { $0 }
        let options = ServerOptions(trustedProxies: proxies)
        let address =
            try proxy.map { try SocketAddress(ipAddress: $0, port: 1) } ?? SocketAddress(unixDomainSocketPath: "/client")
        try channel.connect(to: address).wait()
        connection = OpenConnection(channel)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(BodyParts())
        try pipeline.addHandler(RequestHeadHandler())
        try pipeline.addHandler(
            ConnectionTimeouts(
                connection, bytes: ReceivedBytes(mostWaitingBytes: 1 << 20, closing: ClosingConnections()), header: .seconds(10),
                request: .seconds(20),
                idle: .seconds(60),
                unfinished: unfinished, exempt: proxies,
                visitor: { options.clientAddress(by: ForwardedAddresses($0["x-forwarded-for"]), from: $1) }))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    }

    /// Sends bytes that arrive in one read.
    func send(_ text: String) {
        channel.pipeline.read()
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
        channel.pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.run()
    }

    /// Sends bytes that arrive in one read though nothing more is read, as at the end of the client's side.
    func sendUnasked(_ text: String) {
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
        channel.pipeline.fireChannelReadComplete()
    }

    func ask() {
        send("GET /abc HTTP/1.1\r\nHost: go.example.com\r\n\r\n")
    }

    /// Sends the response to the request.
    func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .found)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    func wait(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    /// The bytes sent back since the previous call.
    func received() throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    /// Returns the heads of the requests that passed since the previous call.
    func heads() throws -> [HTTPRequest] {
        var heads: [HTTPRequest] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return heads
    }

    /// Returns the parts of the bodies that passed since the previous call.
    func bodyParts() throws -> [String] {
        var parts: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .body(let bytes) = part { parts.append(String(buffer: bytes)) }
        }
        return parts
    }

    func close() {
        // The parser reports an error for a truncated request.
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}

extension RequestBudget {
    /// Whether a further request of a client would find room.
    func hasRoom(for bytes: Int, of client: ClientNetwork?) -> Bool {
        let request = Count()
        let id = ObjectIdentifier(request)
        enter(id, of: client, at: .uptimeNanoseconds(0)) {}
        defer { withExtendedLifetime(request) { leave(id) } }
        return hold(bytes, by: id, isComplete: true, at: .uptimeNanoseconds(0))
    }
}
