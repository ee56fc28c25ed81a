import HTTPTypes
import Hummingbird
import HummingbirdCore
import Linden
import Logging
import NIOCore
import NIOHTTPTypes

extension VisitHandler {
    /// Whether a request may be a visit: a GET without a body and without headers that announce one.
    static func mayBeVisit(_ head: HTTPRequest) -> Bool {
        head.method == .get && head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
            && head.headerFields[.expect] == nil
    }

    /// Relies on the normalization of ``RequestHeadHandler``.
    static func isLast(_ head: HTTPRequest) -> Bool { head.headerFields[.connection] == "close" }

    func visit(_ request: Request, _ context: ChannelHandlerContext) -> Bool {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let isTaken = clicks.visit(request, from: peer, logger: logger) { answer in
            eventLoop.execute {
                switch answer() {
                case .ready(let answer): handler.value.send(answer, to: request)
                case .page(let render, let network):
                    let isTaken = PageRenderer.shared.render(for: network, render) { answer in
                        eventLoop.execute { handler.value.send(answer, to: request) }
                    }
                    if !isTaken { handler.value.send(Self.refusal(of: request), to: request) }
                }
            }
        }
        if isTaken { state = .answering }
        return isTaken
    }

    private static func refusal(of request: Request) -> BufferedResponse {
        FailureMiddleware.answer(Failure.tooManyPages, to: request, logger: Logger(label: "linden")).allowingOrigin(of: request)
    }

    /// Sends the response to a visit, unless the client has disconnected.
    private func send(_ answer: BufferedResponse, to request: Request) {
        guard let context, context.channel.isActive else { return }
        isLast = Self.isLast(request.head)
        var headers = answer.headers
        headers[.contentLength] = String(answer.body.readableBytes)
        headers[.date] = HTTPDate.now
        if isLast { headers[.connection] = "close" }
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: answer.status, headerFields: headers))), promise: nil)
        if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
        lastWrite = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isLast { close(context: context, mode: .output, promise: nil) }
        state = isLast ? .closing : .idle
        drainBacklog(context)
    }
}
