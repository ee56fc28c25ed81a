import Connections
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Answers small calls as the connection's loop would, by the same responder, but each by one task that gets the whole body and returns the
/// bytes of the response: the loop's sequences of parts in both directions cost more than many calls.
final class SmallCalls: Sendable {
    private let responder: LindenResponder
    private let limiter: RateLimiter
    private let options: ServerOptions
    private let logger: Logger
    private let underWay = CallsUnderWay()

    init(responder: LindenResponder, limiter: RateLimiter, options: ServerOptions, logger: Logger) {
        self.responder = responder
        self.limiter = limiter
        self.options = options
        self.logger = logger
    }

    /// Answers a call, if it has its turn at once.
    ///
    /// - Parameter deliver: called once with the response, on any thread.
    /// - Returns: false without side effects if the call must wait for its turn, or cannot be read.
    func answer(
        _ call: SmallCall, on channel: any Channel, from peer: ClientAddress?, _ turns: ForwardingTurns,
        then deliver: @escaping @Sendable (ByteBuffer) -> Void
    ) -> Bool {
        guard let head = try? HTTPRequest(call.head, secure: options.certificate != nil, splitCookie: false) else { return false }
        let client = client(of: head, from: peer)
        let network = limiter.network(of: client.address)
        if let network { guard turns.beginNow(network) else { return false } }
        let isOfFew = network.map { underWay.begin(of: $0.site) } ?? false
        Task(priority: isOfFew ? .high : .medium) { [self] in
            if let network { turns.end(of: network) }
            defer { if let network { underWay.end(of: network.site) } }
            let request = Request(head: head, body: RequestBody(buffer: call.body ?? ByteBuffer()))
            let context = LindenContext(channel: channel, peer: peer, client: client, logger: logger)
            let response = await responder.responseOrFailure(to: request, context)
            deliver(await response.bytes(in: channel.allocator, persistence: call.persistence))
        }
        return true
    }

    /// Returns the network whose turns a request takes; nil if it takes none.
    func network(of head: HTTPRequest, from peer: ClientAddress?) -> ClientNetwork? {
        limiter.network(of: client(of: head, from: peer).address)
    }

    private func client(of head: HTTPRequest, from peer: ClientAddress?) -> ServerOptions.Client {
        options.client(by: ForwardedAddresses(head.headerFields[values: .forwardedFor]), from: peer)
    }
}

extension LindenResponder {
    /// Answers a request of a connection, also one that fails by an error of the program.
    func responseOrFailure(to request: Request, _ context: LindenContext) async -> Response {
        do {
            return try await respond(to: request, context: context)
        } catch {
            return Response(status: .internalServerError)
        }
    }
}

extension Response {
    /// Returns the complete response with its date, as the encoder would write it.
    ///
    /// - Parameter persistence: what becomes of the connection after it.
    func bytes(in allocator: ByteBufferAllocator, persistence: ConnectionPersistence) async -> ByteBuffer {
        let collector = BodyCollector()
        // Without a limit it does not fail.
        try? await body.write(collector)
        let body = collector.collected
        var bytes = allocator.buffer(capacity: Self.usualHeadBytes + body.readableBytes)
        bytes.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in headers where !Self.isOfConnection(field.name) { bytes.writeField(field.name.rawName, field.value) }
        bytes.writeField("Content-Length", String(body.readableBytes))
        bytes.writeField("Date", HTTPDate.now)
        if let connection = persistence.header { bytes.writeField("Connection", connection) }
        bytes.writeStaticString("\r\n")
        bytes.writeImmutableBuffer(body)
        return bytes
    }

    /// Whether a field is written for each response, whatever the router says.
    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .date || name == .connection
    }

    private static let usualHeadBytes = 512
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
