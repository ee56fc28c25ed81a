import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import Logging
import Pages

/// The routes of links' own addresses: visits, device reports and text messages.
///
/// A class, because each visit's closures hold it: copying a structure of so many services costs more than finding the link.
final class ClickRoutes: Sendable {
    let directory: AppDirectory
    let clicks: ClickService
    let pages: ClickPages
    let inspections: InspectionPages
    let absentLinks: AbsentLinkPages
    let proxyFaults: ProxyFaultMonitor
    let textMessages: TextMessageService
    let events: EventService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let limiter: RateLimiter
    let options: ServerOptions
    let recorder: RequestRecorder
    let renderer = PageRenderer()
    let delays = RefusalDelays()

    init(
        directory: AppDirectory, clicks: ClickService, pages: ClickPages, inspections: InspectionPages,
        absentLinks: AbsentLinkPages, proxyFaults: ProxyFaultMonitor, textMessages: TextMessageService, events: EventService,
        publicIDs: PublicIDs, baseURL: BaseURL, limiter: RateLimiter, options: ServerOptions
    ) {
        self.directory = directory
        self.clicks = clicks
        self.pages = pages
        self.inspections = inspections
        self.absentLinks = absentLinks
        self.proxyFaults = proxyFaults
        self.textMessages = textMessages
        self.events = events
        self.publicIDs = publicIDs
        self.baseURL = baseURL
        self.limiter = limiter
        self.options = options
        recorder = RequestRecorder(options)
    }

    /// Answers a visit through the router. Responds only once the click is durable.
    func visit(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard !Routes.isAPI(path: request.rawPath) else { throw Failure.notFound("There is no such call.") }
        if let page = try await inspections.page(for: request) { return .html(page) }
        let wantsID = request.rawQuery == VisitRequest.idQuery
        let headers = VisitHeaders(request.headers)
        let visit = visit(of: request, headers, from: context.client, query: wantsID ? nil : request.rawQuery)
        let visited = try await clicks.visit(visit) { try limiter.admitStored(query: $0, from: visit.address) }
        guard let result = visited else {
            guard !wantsID, !request.prefersJSON else { throw Failure.noSuchLink }
            var answer = try await absentLinks.answer(to: request)
            answer.vary(by: "Accept")
            return Response(answer)
        }
        options.metrics.clicks.record(result)
        if wantsID {
            guard result.destination.reason != .ended else { throw Failure.linkEnded }
            return .json(["click_id": .string(result.clickID)])
        }
        if case .redirect = result.destination.action {
            return Response(try answer(to: result, of: request, from: context.peer))
        }
        let network = limiter.network(of: visit.address)
        return Response(
            try await renderer.render(for: network) { try self.answer(to: result, of: request, from: context.peer) })
    }

    private func visit(of request: Request, _ headers: VisitHeaders, from address: ClientAddress, query: String?) -> Visit {
        Visit(
            host: request.host, path: request.rawPath, query: query,
            userAgent: headers.userAgent ?? "", clientHints: headers.hasClientHints ? request.clientHints : ClientHints(),
            referrer: headers.referrer, address: address,
            language: headers.acceptLanguage.flatMap(Language.primary),
            browser: headers.hasCookies ? request.cookie(BrowserCookie.number).flatMap { publicIDs.id(for: $0) } : nil,
            isPrefetch: headers.isFetchedAhead || !headers.isNavigation, isHead: request.method == .head,
            wantsTags: headers.wantsTags)
    }

    func answer(to result: VisitResult, of request: Request, from peer: ClientAddress?) throws -> BufferedResponse {
        if result.isExpired, request.prefersJSON { throw Failure.linkEnded }
        var answer = pages.answer(to: result, of: request)
        answer.askForClientHints()
        answer.vary(by: "Accept", "User-Agent")
        if let clickCookies = result.clickCookies {
            let texts = clickCookies.texts(
                publicIDs, click: result.clickID, isSecure: options.isSecure(request, from: peer, baseURL))
            for text in texts { answer.headers.append(HTTPField(name: .setCookie, value: text)) }
        }
        return answer
    }

    /// Records the device that a click's page reports. The page ignores the response.
    func device(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try await clicks.record(DeviceReport(body), of: context.parameters.get("click_id") ?? "") { scope in
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
        let app = try await context.admittedApp(body, in: directory)
        // Pages of other sites can send JSON, too, each from its visitor's address.
        guard request.wantsPage || !app.app.configuration.isStrict || request.isFromPage(of: app, baseURL) else {
            throw Failure(.forbidden, "With security=strict, messages are sent only from the app's own pages.")
        }
        let id = context.parameters.get("click_id") ?? ""
        guard try await isClickOrLink(id, app, request) else { throw Failure.invalid("\(id) is not a click or link of this app.") }
        guard let written = body.text("phone") else { throw Failure.invalid("phone is missing.") }
        if textMessages.isAvailable {
            try await textMessages.send(id, on: request.host, of: app, to: try PhoneNumber(written), from: context.client)
        }
        guard !body.isTrackingDisabled else { return app }
        let event = EventRequest(RequestFields(body.members.merging(["link_click_id": .string(id)])))
        try await events.record(
            event.event(endpoint: "c", fallback: "sms", publicIDs), for: app, from: context.client)
        return app
    }

    private func isClickOrLink(_ id: String, _ app: AppContext, _ request: Request) async throws -> Bool {
        if try await clicks.click(id, in: app.scope) != nil { return true }
        return try await clicks.scope(host: request.host, path: "/" + id) == app.scope
    }
}

extension VisitResult {
    /// Whether the link has expired and has no other destination.
    fileprivate var isExpired: Bool { destination == Destination(.nowhere, reason: .ended) }
}

extension BufferedResponse {
    func allowingOrigin(of request: Request) -> BufferedResponse {
        var answer = self
        answer.headers.allowOrigin(of: request)
        return answer
    }
}
