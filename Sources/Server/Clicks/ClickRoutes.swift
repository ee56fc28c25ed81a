import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import Logging
import Pages

/// The routes of links' own addresses: visits, device reports and text messages.
struct ClickRoutes {
    let services: Services
    let options: ServerOptions

    /// Answers a visit through the router. Responds only once the click is durable.
    func visit(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard !Routes.isAPI(path: request.rawPath) else { throw Failure.notFound("There is no such call.") }
        if let page = try await InspectionPages(services: services).page(for: request) { return .html(page) }
        // A page that sends the link by text message first asks for the id of a click on it (Web SDK up to 2.67).
        let wantsID = request.rawQuery == Self.idQuery
        let headers = VisitHeaders(request.headers)
        let visit = visit(of: request, headers, from: context.peer, query: wantsID ? nil : request.rawQuery)
        guard let redirection = try await services.clicks.visit(visit) else {
            guard !wantsID, !request.prefersJSON else { throw Failure.noSuchLink }
            var answer = try await AbsentLinkPages(services: services).answer(to: request)
            answer.vary(by: "Accept")
            return Response(answer)
        }
        if wantsID {
            guard redirection.destination.reason != .ended else { throw Failure.linkEnded }
            return .json(["click_id": .string(redirection.clickID)])
        }
        if case .redirect = redirection.destination.action {
            return Response(try answer(to: redirection, of: request, from: context.peer))
        }
        let network = services.limiter.network(of: visit.address)
        return Response(
            try await PageRenderer.shared.render(for: network) { try answer(to: redirection, of: request, from: context.peer) })
    }

    /// Synchronous fast path ahead of the router, for plain visits, which most are.
    ///
    /// - Parameter deliver: called once when the click is durable, on a thread of the storage. Its argument computes the response and
    ///   should be called on another thread.
    /// - Returns: false without side effects if the router must handle the request.
    func visit(
        _ request: Request, from peer: ClientAddress?, logger: Logger,
        then deliver: @escaping @Sendable (_ answer: @escaping @Sendable () -> VisitAnswer) -> Void
    ) -> Bool {
        guard request.method == .get, isPlain(request.rawQuery), !Routes.isAPI(path: request.rawPath),
            (try? FailureMiddleware.check(request)) != nil
        else { return false }
        let headers = VisitHeaders(request.headers)
        // Left to the router, whose limits refuse it, before the address and other headers are parsed any further.
        guard !services.limiter.isRefusingVisits(from: address(of: request, headers, from: peer)) else { return false }
        let visit = visit(of: request, headers, from: peer, query: request.rawQuery)
        let admit = { try services.limiter.admitVisit(from: visit.address, query: request.rawQuery) }
        let isTaken = services.clicks.visit(visit, admittedBy: admit) { redirection in
            deliver {
                do {
                    let redirection = try redirection()
                    let answer = { @Sendable in self.rendered(redirection, request, from: peer, logger) }
                    if case .redirect = redirection.destination.action { return .ready(answer()) }
                    return .page(answer, network: services.limiter.network(of: visit.address))
                } catch {
                    return .ready(FailureMiddleware.answer(error, to: request, logger: logger).allowingOrigin(of: request))
                }
            }
        }
        // A visit that is left to the router is counted there, also by the limits.
        if isTaken, headers.isForwarded, let fault = options.proxyFault(of: request, from: peer) {
            services.proxyFaults.record(fault.kind, of: fault.proxy)
        }
        return isTaken
    }

    private func rendered(_ redirection: VisitResult, _ request: Request, from peer: ClientAddress?, _ logger: Logger)
        -> BufferedResponse
    {
        do {
            return try answer(to: redirection, of: request, from: peer).allowingOrigin(of: request)
        } catch {
            return FailureMiddleware.answer(error, to: request, logger: logger).allowingOrigin(of: request)
        }
    }

    /// Whether a query asks for nothing but the link's destination.
    private func isPlain(_ query: String?) -> Bool {
        guard let query else { return true }
        return query != Self.idQuery && !query.hasBytes(of: "debug") && !query.hasBytes(of: "validate")
    }

    private func visit(of request: Request, _ headers: VisitHeaders, from peer: ClientAddress?, query: String?) -> Visit {
        Visit(
            host: request.host, path: request.rawPath, query: query,
            userAgent: headers.userAgent ?? "", clientHints: headers.hasClientHints ? request.clientHints : ClientHints(),
            referrer: headers.referrer,
            address: address(of: request, headers, from: peer),
            language: headers.acceptLanguage.flatMap(Language.primary),
            browser: headers.hasCookies ? request.cookie(BrowserCookie.number).flatMap { services.publicIDs.id(for: $0) } : nil,
            isPrefetch: headers.isFetchedAhead || !headers.isNavigation, isHead: request.method == .head,
            wantsTags: headers.wantsTags)
    }

    private func address(of request: Request, _ headers: VisitHeaders, from peer: ClientAddress?) -> ClientAddress {
        headers.isForwarded ? options.clientAddress(of: request, from: peer) : peer ?? .unknown
    }

    private func answer(to redirection: VisitResult, of request: Request, from peer: ClientAddress?) throws -> BufferedResponse {
        if redirection.isExpired, request.prefersJSON { throw Failure.linkEnded }
        var answer = ClickPages(services: services, request: request).answer(to: redirection)
        answer.askForClientHints()
        answer.vary(by: "Accept", "User-Agent")
        if let clickCookies = redirection.clickCookies {
            answer.keep(clickCookies, services.publicIDs, isSecure: options.isSecure(request, from: peer, services.baseURL))
        }
        return answer
    }

    private static let idQuery = "click=click"

    /// Records the device that a click's page reports. The page ignores the response.
    func device(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try await services.clicks.note(DeviceReport(body), of: context.parameters.get("click_id") ?? "") { scope in
            try context.admit(scope, bytes: body.byteCount)
        }
        try context.admission?.countWithoutKey()
        return Response(status: .noContent)
    }

    /// Sends the link to the phone of a page's visitor if there is a gateway for text messages. The request is recorded with the phone
    /// number in any case, as an event named `sms`, for other senders.
    func textMessage(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard request.wantsPage else {
            _ = try await sendTextMessage(try await request.fields(upTo: options.maximumSmallBodyBytes), request, context)
            return .json([:])
        }
        let back = "/c/" + (context.parameters.get("click_id") ?? "")
        let language = request.pageLanguage
        do {
            // Rejects cross-site requests: another site could make its visitors send messages that appear to come from this one.
            guard !request.isFromAnotherSite else { throw Failure(.forbidden, "Messages can be sent only from this page.") }
            let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
            guard body.text("phone").flatMap({ try? PhoneNumber($0) }) != nil else {
                return .html(.failure(.phoneInvalid, back: back, in: language), status: .badRequest)
            }
            let app = try await sendTextMessage(body, request, context)
            return .html(.textMessageSent(AppBrand(app.app), back: back, in: language))
        } catch let failure as Failure {
            let text: PageText? =
                switch failure.code {
                case .rateLimited: .tooManyMessages
                case .unavailable: .messageNotSent
                default: nil
                }
            return Response(failure.page(back: back, in: language, saying: text))
        }
    }

    /// - Returns: the app that the link belongs to.
    private func sendTextMessage(_ body: RequestFields, _ request: Request, _ context: LindenContext) async throws -> AppContext {
        let app = try await context.app(body, of: services)
        let id = context.parameters.get("click_id") ?? ""
        guard try await isClickOrLink(id, app, request) else { throw Failure.invalid("\(id) is not a click or link of this app.") }
        guard let written = body.text("phone") else { throw Failure.invalid("phone is missing.") }
        let address = options.clientAddress(of: request, context)
        if services.textMessages.isAvailable {
            try await services.textMessages.send(id, on: request.host, of: app, to: try PhoneNumber(written), from: address)
        }
        guard !body.isTrackingDisabled else { return app }
        let event = EventRequest(RequestFields(body.members.merging(["link_click_id": .string(id)])))
        try await services.events.record(
            event.event(endpoint: "c", fallback: "sms", services.publicIDs), for: app, from: address)
        return app
    }

    private func isClickOrLink(_ id: String, _ app: AppContext, _ request: Request) async throws -> Bool {
        if try await services.clicks.click(id, in: app.scope) != nil { return true }
        return try await services.clicks.scope(host: request.host, path: "/" + id) == app.scope
    }
}

extension VisitResult {
    /// Whether the link has expired and has no other destination.
    fileprivate var isExpired: Bool { destination == Destination(.nowhere, reason: .ended) }
}

/// The response to a visit, or the closure that renders it.
enum VisitAnswer: Sendable {
    case ready(BufferedResponse)
    /// A page. Rendering takes too long for an event loop, which would delay its other connections.
    case page(@Sendable () -> BufferedResponse, network: ClientNetwork?)
}

extension BufferedResponse {
    func allowingOrigin(of request: Request) -> BufferedResponse {
        var answer = self
        answer.headers.allowOrigin(of: request)
        return answer
    }

    fileprivate mutating func keep(_ clickCookies: ClickCookies, _ ids: PublicIDs, isSecure: Bool) {
        let cookies = [
            (BrowserCookie.number, ids.string(for: clickCookies.browser), BrowserCookie.lifetime),
            (BrowserCookie.click(clickCookies.scope), ids.string(for: clickCookies.click), clickCookies.window),
        ]
        for (name, value, lifetime) in cookies {
            headers.append(BrowserCookie.field(name, value, for: lifetime, isSecure: isSecure))
        }
    }
}
