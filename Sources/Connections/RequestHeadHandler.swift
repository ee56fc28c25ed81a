import BranchWire
import CoreMetrics
import LindenKernel
import LinkRouting
import NIOCore
import NIOHTTP1

/// The validation and normalization of request heads while they are HTTP/1.
///
/// - Input that is not HTTP, headers that are too large, and requests of HTTP/1.1 without exactly one `Host` (RFC 9112, section 3.2) get an
///   error response, and the connection ends. The parser stops at the first byte that it does not accept, so no later bytes are read as a
///   request.
/// - A target with too many combining marks in a row is refused, and such runs in headers are cut, before any of them is compared, see
///   ``CombiningMarks``. Headers are not dropped, since a proxy appends the client's address to a header that the client began.
/// - The host of an absolute-form target (`GET http://host/path`) replaces `Host` (RFC 9112, section 3.2.2).
/// - The last request of a connection gets the header `Connection: close` in exactly this form: HTTP/1.0 implies it, and clients write it
///   in capitals or in a list. A request for another protocol (`CONNECT` or `Upgrade`) is the last one too: it is answered in HTTP/1.1, but
///   the parser reads nothing behind it, and a proxy would reuse the connection for other clients (RFC 9110, section 7.8). So is a request
///   with large or many headers, since an idle connection keeps the memory of those of its last request.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Requests read but not yet answered. An error is sent after their responses.
    private var unanswered = 0
    /// Whether the head of a request was read, but not its end.
    private var isReading = false
    /// Whether a request that was read is the last of the connection.
    private var hasLast = false
    /// Whether no further input is read, after an error or the last request.
    private var hasEnded = false
    /// An error that is sent after the pending responses.
    private var failure: (status: HTTPResponseStatus, message: String)?
    private var context: ChannelHandlerContext?
    /// The end of the connection after an error.
    private var closing: Scheduled<Void>?
    private let metrics: ConnectionMetrics

    init(metrics: ConnectionMetrics = ConnectionMetrics()) {
        self.metrics = metrics
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // It keeps the channel in memory.
        closing?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        guard case .head(var head) = unwrapInboundIn(data) else {
            if case .end = unwrapInboundIn(data) { isReading = false }
            return context.fireChannelRead(data)
        }
        guard !hasLast else {
            hasEnded = true
            return
        }
        guard !CombiningMarks.hasLongRun(head.uri) else { return fail(.badRequest, Self.marksMessage, context) }
        let survey = HeaderSurvey(head.headers)
        guard head.hasOneHost(survey) else { return fail(.badRequest, Self.hostMessage, context) }
        guard !head.hasUnknownFraming else { return fail(.badRequest, Self.framingMessage, context) }
        guard survey.connectionBytes <= ConnectionLimits.connectionHeaderBytes else {
            return fail(.requestHeaderFieldsTooLarge, Self.connectionMessage, context)
        }
        if survey.hasLongMarks { head.cutMarks() }
        let hasHostInTarget = head.setHostOfTarget()
        let isLast = head.normalizeConnection(survey)
        hasLast = isLast
        unanswered += 1
        isReading = true
        context.fireChannelRead(survey.hasLongMarks || hasHostInTarget || isLast ? wrapInboundOut(.head(head)) : data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .end = unwrapOutboundIn(data) { didAnswer() }
    }

    /// Counts a complete response, after which an error may follow.
    func didAnswer() {
        unanswered = max(0, unanswered - 1)
        if let context { answerFailure(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasEnded else { return }
        if error is RequestBudgetExceeded, !isReading { return fail(.serviceUnavailable, Self.budgetMessage, context) }
        // An error in the middle of a request is forwarded, so that the request's reader does not wait for its end.
        guard let error = error as? HTTPParserError, !isReading else { return context.fireErrorCaught(error) }
        if error == .headerOverflow {
            fail(.requestHeaderFieldsTooLarge, Self.sizeMessage, context)
        } else {
            fail(.badRequest, "The request is not valid HTTP/1.1.", context)
        }
    }

    private static let framingMessage = "A request of HTTP/1.0 has no Transfer-Encoding."
    private static let hostMessage = "A request must have one Host header."
    private static let marksMessage = "The address may have at most \(CombiningMarks.longestRun) combining marks in a row."
    private static let budgetMessage = "Too many unfinished requests are open just now; please try again."
    private static let connectionMessage =
        "The Connection header may have at most \(ConnectionLimits.connectionHeaderBytes) bytes."
    private static let sizeMessage =
        "The address and each header may have at most \(ConnectionLimits.headerBytes) bytes, all of them together "
        + "\(ConnectionLimits.headerListBytes), of which \(ConnectionLimits.headBytesBeyondASCII) are not ASCII, in at most "
        + "\(ConnectionLimits.headerCount) headers."

    /// Sends an error once earlier requests are answered, and ends the connection. No further input is read.
    private func fail(_ status: HTTPResponseStatus, _ message: String, _ context: ChannelHandlerContext) {
        hasEnded = true
        // Input after the last request of a connection gets no response.
        guard !hasLast else { return }
        metrics.invalidRequests.increment()
        failure = (status, message)
        answerFailure(context)
    }

    private func answerFailure(_ context: ChannelHandlerContext) {
        guard unanswered == 0, let (status, message) = failure, context.channel.isActive else { return }
        failure = nil
        let body = ByteBuffer(bytes: ErrorResponse(status: Int(status.code), message: message).json.bytes)
        var headers: HTTPHeaders = [
            "content-type": "application/json; charset=utf-8", "content-length": String(body.readableBytes),
            "cache-control": "no-store", "connection": "close",
        ]
        if status == .serviceUnavailable { headers.add(name: "retry-after", value: "1") }
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        let eventLoop = context.eventLoop
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { [self] _ in
            // A client that is still sending would get a reset instead of the response, so its input is read and dropped for a moment.
            channel.close(mode: .output, promise: nil)
            guard self.context != nil else { return }
            closing = eventLoop.assumeIsolated().scheduleTask(in: Self.closingTime) { channel.close(promise: nil) }
        }
    }

    private static let closingTime: TimeAmount = .seconds(2)
}

extension HTTPRequestHead {
    /// Whether there is exactly one `Host`; HTTP/1.0 does not require one.
    fileprivate func hasOneHost(_ survey: HeaderSurvey) -> Bool {
        survey.hosts == 1 || survey.hosts == 0 && version != .http1_1
    }

    /// Whether HTTP/1.0 is used with `Transfer-Encoding`, which it does not have: a proxy of that version would see other limits of the request
    /// (RFC 9112, section 6.1).
    fileprivate var hasUnknownFraming: Bool {
        (version.major, version.minor) < (1, 1) && headers.contains(name: "transfer-encoding")
    }

    /// Cuts long runs of combining marks in headers.
    fileprivate mutating func cutMarks() {
        headers = HTTPHeaders(headers.map { ($0.name, CombiningMarks.cut($0.value)) })
    }

    /// Moves the host of an absolute-form target to the header `Host`.
    ///
    /// - Returns: whether the head was changed.
    fileprivate mutating func setHostOfTarget() -> Bool {
        guard !uri.utf8.starts(with: "/".utf8) else { return false }
        let beginning = String(decoding: uri.utf8.prefix(8), as: UTF8.self).lowercased()
        guard let scheme = ["http://", "https://"].first(where: beginning.hasPrefix) else { return false }
        let rest = uri.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        // A user name before the host has no meaning for a server.
        let authority = rest[..<end]
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
        headers.replaceOrAdd(name: "host", value: String(Substring(host)))
        let path = Substring(rest[end...])
        uri = rest[end...].first == UInt8(ascii: "/") ? String(path) : "/" + path
        return true
    }

    /// Sets `Connection: close` if the connection ends with this request.
    ///
    /// - Returns: whether the head was changed.
    fileprivate mutating func normalizeConnection(_ survey: HeaderSurvey) -> Bool {
        let isLarge = survey.bytes > ConnectionLimits.keptHeadBytes || headers.count > ConnectionLimits.keptHeaders
        guard isLarge || !isKeepAlive || isForOtherProtocol(survey) else { return false }
        headers.replaceOrAdd(name: "connection", value: "close")
        return true
    }

    /// Whether the client asks to go on in another protocol than HTTP/1. No such request is granted.
    private func isForOtherProtocol(_ survey: HeaderSurvey) -> Bool {
        if method == .CONNECT || survey.hasUpgrade { return true }
        guard survey.connectionBytes > 0 else { return false }
        return headers.contains { $0.isHeader("connection") && $1.lowercased().hasBytes(of: "upgrade") }
    }
}

/// What one pass over the headers of a request finds.
private struct HeaderSurvey {
    var hosts = 0
    var hasUpgrade = false
    /// Whether a value has a long run of combining marks.
    var hasLongMarks = false
    /// The size of all names and values.
    var bytes = 0
    /// The size of all values of `Connection`. It must be limited before the first use of `isKeepAlive`, which reads their lists.
    var connectionBytes = 0

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            bytes += name.utf8.count + value.utf8.count
            if CombiningMarks.hasLongRun(value) { hasLongMarks = true }
            if name.isHeader("host") { hosts += 1 }
            if name.isHeader("upgrade") { hasUpgrade = true }
            if name.isHeader("connection") { connectionBytes += value.utf8.count }
        }
    }
}

extension String {
    /// Whether this is the name of a header, in any case. The first letter is compared first: that needs no copy.
    ///
    /// - Parameter name: in lower case.
    fileprivate func isHeader(_ name: String) -> Bool {
        utf8.count == name.utf8.count && utf8.first.map { $0 | 0x20 } == name.utf8.first && lowercased() == name
    }
}
