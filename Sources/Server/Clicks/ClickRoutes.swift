import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import Pages

/// What happens at a link's own address.
struct ClickRoutes {
    let services: Services
    let options: ServerOptions

    /// The answer leaves only when the click is on the disk.
    func visit(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard !Routes.isAPI(path: request.rawPath) else { throw Failure.notFound("There is no such call.") }
        if let page = try await InspectionPages(services: services).page(for: request) { return .html(page) }
        // A page that sends the link by text message first asks for the id of a click on it (Web SDK up to 2.67).
        let wantsID = request.rawQuery == "click=click"
        let browser = request.cookies[BrowserCookie.number]?.value
        let visit = Visit(
            host: request.host, path: request.rawPath, query: wantsID ? nil : request.rawQuery,
            userAgent: request.header(.userAgent) ?? "", clientHints: request.clientHints, referrer: request.header(.referer),
            address: options.clientAddress(of: request, context),
            language: request.header(.acceptLanguage).flatMap(Language.primary),
            browser: browser.flatMap { services.publicIDs.id(for: $0) },
            isPrefetch: request.isFetchedAhead || !request.isNavigation, isHead: request.method == .head,
            wantsTags: request.wantsTags)
        guard let redirection = try await services.clicks.visit(visit) else { throw Failure.noSuchLink }
        if wantsID { return .json(["click_id": .string(redirection.clickID)]) }
        var response = ClickPages(services: services).response(to: redirection)
        response.askForClientHints()
        if let keepsake = redirection.keepsake {
            response.keep(keepsake, services.publicIDs, isSecure: options.isSecure(request, context, services.baseURL))
        }
        return response
    }

    /// The page of a click tells what phone it is on. It waits for no answer.
    func device(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try await services.clicks.note(DeviceReport(body), of: context.parameters.get("click_id") ?? "")
        return Response(status: .noContent)
    }

    /// A page's visitor wants the link on his phone. It is sent there if there is a gateway for text messages; the wish is stored with
    /// the phone number in any case, as an event named `sms`, for whatever else sends them.
    func textMessage(_ request: Request, _ context: LindenContext) async throws -> Response {
        let back = "/c/" + (context.parameters.get("click_id") ?? "")
        guard request.wantsPage else {
            try await sendTextMessage(request, context)
            return .json([:])
        }
        do {
            // Another site's page would have its visitors send messages in this one's name.
            guard !request.isFromAnotherSite else { throw Failure(.forbidden, "Messages are sent from this page alone.") }
            try await sendTextMessage(request, context)
            return .html(.textMessageSent(back: back))
        } catch let failure as Failure {
            return failure.page(back: back)
        }
    }

    private func sendTextMessage(_ request: Request, _ context: LindenContext) async throws {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey)
        let id = context.parameters.get("click_id") ?? ""
        guard try await isClickOrLink(id, app, request) else { throw Failure.invalid("\(id) is no click or link of this app.") }
        guard let written = body.text("phone") else { throw Failure.invalid("phone is missing.") }
        if services.textMessages.isAvailable {
            try await services.textMessages.send(
                id, on: request.host, of: app, to: try PhoneNumber(written), from: options.clientAddress(of: request, context))
        }
        guard !body.isTrackingDisabled else { return }
        let event = EventRequest(RequestFields(body.members.merging(["link_click_id": .string(id)])))
        try await services.events.record(event.event(endpoint: "c", fallback: "sms", services.publicIDs), for: app)
    }

    private func isClickOrLink(_ id: String, _ app: AppContext, _ request: Request) async throws -> Bool {
        if try await services.clicks.click(id, in: app.scope) != nil { return true }
        return try await services.clicks.scope(host: request.host, path: "/" + id) == app.scope
    }
}

extension Response {
    fileprivate mutating func keep(_ keepsake: BrowserKeepsake, _ ids: PublicIDs, isSecure: Bool) {
        setCookie(
            BrowserCookie.cookie(
                BrowserCookie.number, ids.string(for: keepsake.browser), for: BrowserCookie.lifetime, isSecure: isSecure))
        setCookie(
            BrowserCookie.cookie(
                BrowserCookie.click(keepsake.scope), ids.string(for: keepsake.click), for: keepsake.window, isSecure: isSecure))
    }
}

extension Request {
    /// An app that opens other apps asks for a page's App Links tags first (applinks.org), and goes where they lead.
    fileprivate var wantsTags: Bool {
        headers[.preferHTMLMetaTags]?.split(separator: ",").contains { $0.trimmingPrefix { $0 == " " }.hasPrefix("al") } == true
    }

    /// A browser fetching ahead says so in one of these headers.
    fileprivate var isFetchedAhead: Bool {
        [HTTPField.Name.secPurpose, .purpose, .xPurpose, .xMoz].contains { name in
            let value = headers[name]?.lowercased() ?? ""
            return value.contains("prefetch") || value.contains("prerender") || value.contains("preview")
        }
    }
}
