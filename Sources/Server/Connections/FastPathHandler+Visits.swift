import Connections
import HTTPTypes
import LindenKernel
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Visits, which are recorded and answered without a task.
extension FastPathHandler {
    /// Answers a request, in a later round of the event loop if its site has begun its share of this one.
    ///
    /// - Returns: false if the router must answer it.
    func visit(_ request: VisitRequest, _ context: ChannelHandlerContext) -> Bool {
        guard clicks.mayAnswer(request) else { return false }
        began = .now()
        let client = clicks.client(of: request, from: peer)
        guard let site = client.network?.site, !rounds.begin(of: site) else { return visit(request, by: client, context) }
        state = .answering
        rounds.wait(of: site) { [self] in resume(request, by: client) }
        return true
    }

    private func resume(_ request: VisitRequest, by client: VisitClient) {
        guard let context, context.channel.isActive, !visit(request, by: client, context) else { return }
        forward(request.head, context)
        pass(.part(.end(nil)), context)
        channelReadComplete(context: context)
    }

    private func visit(_ request: VisitRequest, by client: VisitClient, _ context: ChannelHandlerContext) -> Bool {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let isHandled = clicks.visit(request, by: client, from: peer, logger: logger) { answer in
            eventLoop.execute { handler.value.respond(with: answer(), to: request) }
        }
        if isHandled { state = .answering }
        return isHandled
    }

    private func respond(with answer: VisitAnswer, to request: VisitRequest) {
        switch answer {
        case .redirect(let redirect): send(redirect, to: request)
        case .ready(let answer): send(answer, to: request)
        case .refused(let answer): refuse(request, with: answer)
        case .page(let render, let network):
            guard let eventLoop = context?.eventLoop else { return }
            let handler = NIOLoopBound(self, eventLoop: eventLoop)
            clicks.renderer.render(for: network, render) { answer in
                eventLoop.execute { handler.value.send(answer ?? Self.refusal(of: request), to: request) }
            }
        }
    }

    /// Sends a refusal some time later, or at once if too many wait on the proxies' connections.
    private func refuse(_ request: VisitRequest, with answer: BufferedResponse) {
        let isProxied = peer.map { clicks.options.isTrusted($0) } ?? false
        guard let context, !isProxied || clicks.delays.begin() else { return send(answer, to: request) }
        context.eventLoop.assumeIsolated().scheduleTask(in: RefusalDelays.delay) { [self] in
            if isProxied { clicks.delays.end() }
            send(answer, to: request)
        }
    }

    private static func refusal(of request: VisitRequest) -> BufferedResponse {
        let request = request.routed
        return FailureMiddleware.answer(Failure.tooManyPages, to: request, logger: Logger(label: "linden"))
            .allowingOrigin(of: request)
    }

    /// Sends a redirect in one write, unless the client has disconnected.
    private func send(_ redirect: VisitRedirect, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        persistence = request.persistence
        lastWrite = answers.send(redirect.bytes(in: context.channel.allocator, at: HTTPDate.now, persistence: persistence))
        clicks.recorder.record(request, from: peer, status: 302, bytes: 0, since: began)
        endAnswer(context)
    }

    /// Sends the response to a visit, unless the client has disconnected.
    private func send(_ answer: BufferedResponse, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        persistence = request.persistence
        var headers = answer.headers
        headers[.contentLength] = String(answer.body.readableBytes)
        headers[.date] = HTTPDate.now
        headers[.connection] = persistence.header
        headers[.strictTransportSecurity] = clicks.options.strictTransport(
            forwardedScheme: request.headers.forwardedScheme, from: peer, clicks.baseURL)
        let head = HTTPResponseHead(HTTPResponse(status: answer.status, headerFields: headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
        lastWrite = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        clicks.recorder.record(request, from: peer, status: answer.status.code, bytes: answer.body.readableBytes, since: began)
        endAnswer(context)
    }
}
