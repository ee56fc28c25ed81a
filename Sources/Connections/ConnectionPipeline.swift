import HTTPTypes
import LindenKernel
import LindenServices
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The channel handlers of a connection, which parse and limit its requests, answer some of them, and forward all others to Hummingbird.
///
/// The parser is NIO's. The handlers up to the one that answers read its parts; only forwarded requests are translated to HTTPTypes, which
/// costs as much as parsing.
package struct ConnectionPipeline: Sendable {
    /// Makes the handler of a channel that answers requests ahead of Hummingbird, given the handler that sends its answers and the turns of
    /// requests that are answered by a task.
    package typealias MakeAnswering = @Sendable (AnswerBytes, ForwardingTurns, any EventLoop) -> any ChannelHandler

    private let table: ConnectionTable
    private let headerTimeout: TimeAmount
    private let largestRequest: Int
    private let proxies: [Network]
    /// Proxies and loopback.
    private let exempt: [Network]
    private let visitor: @Sendable (HTTPHeaders, ClientAddress) -> ClientAddress
    private let unfinished = RequestBudget(ConnectionLimits.unfinishedBytes)
    private let closing = ClosingConnections()
    private let unsent = UnsentBudget(ConnectionLimits.unsentBytes)
    let turns = ForwardingTurns()
    private let network: @Sendable (HTTPRequest, ClientAddress?) -> ClientNetwork?
    private let metrics: ConnectionMetrics
    private let makeAnswering: MakeAnswering
    private let certificate: TLSCertificate?
    private let admitsHandshake: @Sendable (ClientAddress) -> Bool

    /// - Parameters:
    ///   - proxies: networks whose addresses stand for many visitors.
    ///   - largestBody: the most bytes of a body.
    ///   - visitor: returns the visitor of a request by its headers and its connection's address.
    ///   - network: returns the network of a request's client; nil if it takes no turns.
    ///   - certificate: nil for connections without TLS.
    ///   - admitsHandshake: whether an address may begin a handshake of TLS now; counts it.
    package init(
        limits: ConnectionLimits, proxies: [Network], largestBody: Int, certificate: TLSCertificate?,
        admitsHandshake: @escaping @Sendable (ClientAddress) -> Bool = { _ in true },
        visitor: @escaping @Sendable (HTTPHeaders, ClientAddress) -> ClientAddress,
        network: @escaping @Sendable (HTTPRequest, ClientAddress?) -> ClientNetwork?, metrics: ConnectionMetrics, logger: Logger,
        answering: @escaping MakeAnswering
    ) {
        self.visitor = visitor
        self.network = network
        self.metrics = metrics
        makeAnswering = answering
        self.certificate = certificate
        self.admitsHandshake = admitsHandshake
        table = ConnectionTable(limits: limits, exempt: proxies, logger: logger, metrics: metrics)
        headerTimeout = .seconds(Int64(limits.headerTimeout))
        largestRequest = largestBody + 2 * ConnectionLimits.headerListBytes
        self.proxies = proxies
        exempt = proxies + RateLimits.loopback
    }

    /// Returns a handler for a channel's requests behind the parser.
    func forwardingQueue() -> ForwardingQueue { ForwardingQueue(turns: turns, network: network) }

    /// Adds the handlers to a channel without any. Must be called on its event loop.
    func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.headLimits)
        let heads = RequestHeadHandler(metrics: metrics)
        let connection = OpenConnection(channel)
        let timeouts = ConnectionTimeouts(
            connection, bytes: ReceivedBytes(mostWaitingBytes: largestRequest, closing: closing), header: headerTimeout,
            request: .seconds(20), idle: .seconds(60), unfinished: unfinished, exempt: exempt, visitor: visitor)
        let unsentBytes = UnsentBytes(budget: unsent, exempt: exempt)
        let answers = AnswerBytes(heads: heads, timeouts: timeouts, unsent: unsentBytes)
        try pipeline.addHandler(ShutdownGrace(grace: ConnectionLimits.shutdownGrace))
        try pipeline.addHandler(BodyParts())
        try pipeline.addHandler(heads)
        try pipeline.addHandler(ConnectionAdmission(table: table, connection: connection))
        try pipeline.addHandler(timeouts)
        try pipeline.addHandler(answers, position: .first)
        try pipeline.addHandler(StalledAnswers(timeout: .seconds(20)))
        try pipeline.addHandler(unsentBytes)
        try pipeline.addHandler(makeAnswering(answers, turns, channel.eventLoop))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
        // Ahead of those that count the bytes of requests and answers.
        if let certificate { try pipeline.addHandler(start(certificate, connection), position: .first) }
    }

    private func start(_ certificate: TLSCertificate, _ connection: OpenConnection) -> TLSStart {
        let address = connection.address
        let isProxy = proxies.contains { $0.contains(address) }
        return TLSStart(
            timeout: headerTimeout, site: isProxy ? nil : ClientNetwork(address).site,
            admits: { [admitsHandshake] in isProxy || admitsHandshake(address) }, makeHandler: { certificate.handler() })
    }

    private static var headLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ConnectionLimits.headerBytes
        limits.maxHeaderListSize = ConnectionLimits.headerListBytes
        limits.maxHeaderFieldCount = ConnectionLimits.headerCount
        return limits
    }
}
