import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import Logging

extension ClickRoutes {
    /// Whether the fast path may answer a request.
    func mayAnswer(_ request: VisitRequest) -> Bool { request.isPlain && !Routes.isAPI(path: request.path) }

    func client(of request: VisitRequest, from peer: ClientAddress?) -> VisitClient {
        let (address, fault) = options.client(by: request.forwardedAddresses, from: peer)
        return VisitClient(address: address, network: limiter.network(of: address), fault: fault)
    }

    /// Synchronous fast path ahead of the router, for plain visits, which most are.
    ///
    /// - Parameter request: one that ``mayAnswer(_:)``.
    /// - Parameter deliver: called once when the click is durable, on a thread of the storage, or at once if the visit is refused. Its argument
    ///   computes the response and should be called on another thread.
    /// - Returns: false without side effects if the router must handle the request.
    func visit(
        _ request: VisitRequest, by client: VisitClient, from peer: ClientAddress?, logger: Logger,
        then deliver: @escaping @Sendable (_ answer: @escaping @Sendable () -> VisitAnswer) -> Void
    ) -> Bool {
        let (address, fault) = (client.address, client.fault)
        // Before its query and other headers are read any further: a flood of long ones must not delay other visits.
        if let refusal = limiter.refusalOfVisit(from: address, query: request.query) {
            if let fault { proxyFaults.record(fault.kind, of: fault.proxy) }
            deliver { .refused(Self.answer(refusal, to: request.routedWithoutQuery, logger)) }
            return true
        }
        let admit = { [limiter] in try limiter.admitVisit(from: address, query: request.query) }
        let isHandled = clicks.visit(visit(of: request, from: address), admittedBy: admit) { result in
            deliver { self.answer(to: result, request, by: client, from: peer, logger) }
        }
        // A visit that is left to the router is counted there, also by the limits.
        if isHandled, let fault { proxyFaults.record(fault.kind, of: fault.proxy) }
        return isHandled
    }

    private func visit(of request: VisitRequest, from address: ClientAddress) -> Visit {
        let headers = request.headers
        return Visit(
            host: request.host, path: request.path, query: request.query, userAgent: headers.userAgent ?? "",
            clientHints: request.clientHints, referrer: headers.referrer, address: address, language: request.language,
            browser: request.cookie(BrowserCookie.number).flatMap { publicIDs.id(for: $0) },
            isPrefetch: headers.isFetchedAhead || !headers.isNavigation, wantsTags: headers.wantsTags)
    }

    private func answer(
        to result: () throws -> VisitResult, _ request: VisitRequest, by client: VisitClient, from peer: ClientAddress?,
        _ logger: Logger
    ) -> VisitAnswer {
        do {
            let result = try result()
            options.metrics.clicks.record(result)
            guard let location = result.location else {
                return .page(
                    { self.rendered(result, request.routed, from: peer, logger) }, network: client.network)
            }
            if let redirect = redirect(to: location, result, request, from: peer) {
                return .redirect(redirect)
            }
            return .ready(rendered(result, request.routed, from: peer, logger))
        } catch {
            return .ready(Self.answer(error, to: request.routed, logger))
        }
    }

    private static func answer(_ error: any Error, to request: Request, _ logger: Logger) -> BufferedResponse {
        FailureMiddleware.answer(error, to: request, logger: logger).allowingOrigin(of: request)
    }

    /// Returns the redirect of a visit, equal to that of ``rendered(_:_:from:_:)``; nil if the request names an origin, or if HTTPTypes
    /// would change the location to a valid one: `rendered` answers then.
    private func redirect(
        to location: ClickURL, _ result: VisitResult, _ request: VisitRequest, from peer: ClientAddress?
    ) -> VisitRedirect? {
        let id = result.clickID
        guard !request.headers.hasOrigin, location.isVisible || HTTPField.isValidValue(location.text(clickID: id)) else {
            return nil
        }
        var redirect = VisitRedirect(location: location, clickID: id)
        guard result.clickCookies != nil || options.strictTransport != nil else { return redirect }
        let isSecure = options.isSecure(forwardedScheme: request.headers.forwardedScheme, from: peer, baseURL)
        redirect.strictTransport = isSecure ? options.strictTransport : nil
        redirect.cookies = result.clickCookies?.texts(publicIDs, click: id, isSecure: isSecure) ?? []
        return redirect
    }

    private func rendered(_ result: VisitResult, _ request: Request, from peer: ClientAddress?, _ logger: Logger)
        -> BufferedResponse
    {
        do {
            return try answer(to: result, of: request, from: peer).allowingOrigin(of: request)
        } catch {
            return FailureMiddleware.answer(error, to: request, logger: logger).allowingOrigin(of: request)
        }
    }
}

/// Who asks for a link.
struct VisitClient: Sendable {
    let address: ClientAddress
    /// Nil if it is not limited.
    let network: ClientNetwork?
    /// What is wrong with the addresses that the proxy forwards.
    let fault: ServerOptions.Fault?
}

/// The response to a visit, or the closure that renders it.
enum VisitAnswer: Sendable {
    case redirect(VisitRedirect)
    case ready(BufferedResponse)
    /// The response to a visit that exceeds its client's rate. It is sent some time later, so that a client that keeps sending is slowed down on
    /// its own connections, and other visitors do not wait for the event loop.
    case refused(BufferedResponse)
    /// A page. Rendering takes too long for an event loop, which would delay its other connections.
    case page(@Sendable () -> BufferedResponse, network: ClientNetwork?)
}
