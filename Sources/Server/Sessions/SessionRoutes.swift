import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices

/// The SDK calls that begin and end sessions.
struct SessionRoutes {
    let directory: AppDirectory
    let sessions: SessionService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let options: ServerOptions

    func install(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await start(request, context, .install)
    }

    func open(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await start(request, context, .open)
    }

    func close(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        if !body.isTrackingDisabled, let session = CloseRequest(body).session(publicIDs) {
            try await sessions.close(session, in: app.scope)
        }
        return .json([:])
    }

    private func start(_ request: Request, _ context: LindenContext, _ endpoint: OpenRequest.Endpoint) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let open = OpenRequest(body, endpoint: endpoint)
        let start: SessionStart
        if let serverOpen = ServerOpenRequest(body) {
            let app = try await context.appOfSecret(body, in: directory)
            start = try serverOpen.sessionStart(app: app, publicIDs)
        } else {
            start = open.sessionStart(
                app: try await context.admittedApp(body, in: directory),
                address: context.client, userAgent: request.header(.userAgent) ?? "",
                clientHints: request.clientHints, publicIDs)
            // It would get the link that the visitor's own app is to get, since both have the visitor's address.
            guard start.caller == .browser || !request.isFromPage && !context.isJSONP else {
                throw Failure.invalid("A page opens sessions by the Web SDK; the SDKs of apps send no Origin or Sec-Fetch header.")
            }
        }
        var session = try await sessions.start(start)
        if !request.isFromPage(of: start.app, baseURL) { session.hasApp = false }
        options.metrics.sessions.record(session)
        context.admission?.charge(bytes: session.storedBytes)
        let response = SessionResponse(session, to: open, app: start.app, baseURL: baseURL, publicIDs)
        return .json(response.json)
    }
}
