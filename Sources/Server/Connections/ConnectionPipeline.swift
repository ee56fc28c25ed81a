import HTTPTypes
import LindenKernel
import LindenServices
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The channel handlers of a connection, which parse and limit its requests, answer visits, and forward all other requests to the router.
///
/// The parser is NIO's. The handlers up to ``VisitHandler`` read its parts; only forwarded requests are translated to HTTPTypes, which costs
/// as much as parsing.
struct ConnectionPipeline: Sendable {
    private let clicks: ClickRoutes
    private let logger: Logger
    private let table: ConnectionTable
    private let headerTimeout: TimeAmount
    private let largestRequest: Int
    private let exempt: [Network]
    private let visitor: @Sendable (HTTPHeaders, ClientAddress) -> ClientAddress
    private let unfinished = RequestBudget(ConnectionLimits.unfinishedBytes)
    private let unsent = UnsentBudget(ConnectionLimits.unsentBytes)
    private let texts = VisitTexts.OfLoops()
    let turns = ForwardingTurns()
    private let network: @Sendable (HTTPRequest, ClientAddress?) -> ClientNetwork?

    init(clicks: ClickRoutes, options: ServerOptions, logger: Logger) {
        self.clicks = clicks
        self.logger = logger
        table = ConnectionTable(limits: options.connections, exempt: options.trustedProxies, logger: logger)
        headerTimeout = .seconds(Int64(options.connections.headerTimeout))
        largestRequest = max(options.maximumBodyBytes, options.maximumBulkBytes) + 2 * ConnectionLimits.headerListBytes
        visitor = { options.clientAddress(by: ForwardedAddresses($0["x-forwarded-for"]), from: $1) }
        exempt = options.trustedProxies + RateLimits.loopback
        network = { [limiter = clicks.limiter] head, peer in
            limiter.network(of: options.clientAddress(by: ForwardedAddresses(head.headerFields[values: .forwardedFor]), from: peer))
        }
    }

    /// Returns a handler for a channel's requests behind the parser.
    func forwardingQueue() -> ForwardingQueue { ForwardingQueue(turns: turns, network: network) }

    /// Adds the handlers to a channel without any. Must be called on its event loop.
    func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.headLimits)
        let heads = RequestHeadHandler()
        let connection = OpenConnection(channel)
        let timeouts = ConnectionTimeouts(
            connection, bytes: ReceivedBytes(mostWaitingBytes: largestRequest), header: headerTimeout, request: .seconds(20),
            idle: .seconds(60), unfinished: unfinished, exempt: exempt, visitor: visitor)
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
        try pipeline.addHandler(
            VisitHandler(clicks: clicks, answers: answers, texts: texts.texts(of: channel.eventLoop), logger: logger))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    }

    private static var headLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ConnectionLimits.headerBytes
        limits.maxHeaderListSize = ConnectionLimits.headerListBytes
        limits.maxHeaderFieldCount = ConnectionLimits.headerCount
        return limits
    }
}
