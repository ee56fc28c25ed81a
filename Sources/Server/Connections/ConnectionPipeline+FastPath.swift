import Connections
import HTTPTypes
import LindenKernel
import LindenServices
import Logging
import NIOCore
import NIOHTTP1

extension ConnectionPipeline {
    /// The handlers of a connection that answers visits and small calls ahead of Hummingbird.
    init(clicks: ClickRoutes, responder: LindenResponder, options: ServerOptions, logger: Logger) {
        let texts = VisitTexts.OfLoops()
        let calls = SmallCalls(responder: responder, limiter: clicks.limiter, options: options, logger: logger)
        self.init(
            limits: options.connections, proxies: options.trustedProxies,
            largestBody: max(options.maximumBodyBytes, options.maximumBulkBytes), certificate: options.certificate,
            admitsHandshake: { [limiter = clicks.limiter] in (try? limiter.admit(.handshake, of: nil, from: $0)) != nil },
            visitor: { options.clientAddress(by: ForwardedAddresses($0["x-forwarded-for"]), from: $1) },
            network: { calls.network(of: $0, from: $1) }, metrics: options.metrics.connections, logger: logger
        ) { answers, turns, eventLoop in
            FastPathHandler(
                clicks: clicks, calls: calls, answers: answers, turns: turns, rounds: .of(eventLoop),
                texts: texts.texts(of: eventLoop), logger: logger)
        }
    }
}
