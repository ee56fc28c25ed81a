import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Connections
@testable import Server

/// A connection with all handlers of the server's connections, from bytes to bytes. In place of the router, the test takes what is forwarded.
struct VisitConnection {
    private let channel: NIOAsyncTestingChannel
    private let host: String
    /// The refusals that wait behind proxies.
    let delays: RefusalDelays

    init(
        _ exchange: Exchange, from address: String = "203.0.113.7", strictTransport: String? = nil,
        metrics: ServerMetrics = ServerMetrics(),
        requestLog: RequestLog? = nil
    ) async throws {
        host = exchange.services.baseURL.host
        var options = ServerOptions(trustedProxies: [Network("127.0.0.1")!], strictTransport: strictTransport)
        options.metrics = metrics
        options.requestLog = requestLog
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let routes = Routes(services: exchange.services, options: options)
        delays = routes.clicks.delays
        let pipeline = ConnectionPipeline(
            clicks: routes.clicks, responder: routes.responder(), options: options, logger: logger)
        let client = try SocketAddress(ipAddress: address, port: 40000)
        channel = try await NIOAsyncTestingChannel { channel in
            channel.remoteAddress = client
            try pipeline.add(to: channel)
        }
        try await channel.connect(to: client).get()
    }

    /// Sends a GET without a body, of a desktop browser unless the headers say otherwise.
    func get(_ target: String, headers: [(String, String)] = [("User-Agent", UserAgents.desktop)]) async throws {
        let lines = [("Host", host)] + headers
        try await send("GET \(target) HTTP/1.1\r\n" + lines.map { "\($0): \($1)\r\n" }.joined() + "\r\n")
    }

    /// Sends bytes that arrive in one read.
    func send(_ text: String) async throws {
        channel.pipeline.read()
        try await channel.writeInbound(ByteBuffer(string: text))
    }

    /// Returns the head of the request that was forwarded to the router; nil if there is none.
    func forwarded() async throws -> HTTPRequest? {
        while let part = try await channel.readInbound(as: HTTPRequestPart.self) {
            if case .head(let head) = part { return head }
        }
        return nil
    }

    /// Answers the forwarded request in place of the router.
    func answerForwarded(_ status: HTTPResponse.Status) async throws {
        let head = HTTPResponse(status: status, headerFields: [.contentLength: "0"])
        try await channel.writeOutbound(HTTPResponsePart.head(head))
        try await channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// Waits for the next response, and returns it. Throws if the connection closes without one.
    func answer() async throws -> SentAnswer {
        var text = ""
        while true {
            if let answer = SentAnswer(text) { return answer }
            // Before the read: a response that closes its connection may arrive between the two.
            let isOpen = isOpen
            if let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
                text += String(buffer: bytes)
            } else {
                try #require(isOpen, "the connection is closed: \(text)")
                text += String(buffer: try await channel.waitForOutboundWrite(as: ByteBuffer.self))
            }
        }
    }

    /// Returns whether the server has sent nothing since the last response.
    func hasSentNothing() async throws -> Bool {
        // The end of a response is written without bytes.
        while let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
            if bytes.readableBytes > 0 { return false }
        }
        return true
    }

    var isOpen: Bool { channel.isActive }

    /// Advances the clock of the connection.
    func wait(_ seconds: Int64) async {
        await channel.testingEventLoop.advanceTime(by: .seconds(seconds))
    }

    func close() async throws {
        _ = try? await channel.finish(acceptAlreadyClosed: true)
    }
}

/// A response as it was sent.
struct SentAnswer: Equatable {
    let status: Int
    /// Names in lower case, with their values in order of their names.
    let headers: [[String]]
    let body: String

    /// Returns nil if the text is not a whole response.
    init?(_ text: String) {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            return [parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : ""]
        }
        let body = String(text[end.upperBound...])
        let length = fields.first { $0[0] == "content-length" }.flatMap { Int($0[1]) } ?? 0
        guard body.utf8.count >= length, let status = Int(text.split(separator: " ", maxSplits: 2)[1]) else { return nil }
        self.status = status
        self.body = body
        headers = fields.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the first value of a header.
    subscript(_ name: String) -> String? { headers.first { $0[0] == name }?[1] }
}
