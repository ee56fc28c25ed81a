import BranchWire
import Hummingbird
import Linden

/// The SDK calls that begin and end sessions.
struct SessionRoutes {
    let services: Services
    let options: ServerOptions

    func install(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await start(request, context, .install)
    }

    func open(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await start(request, context, .open)
    }

    func close(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.app(body, of: services)
        if !body.isTrackingDisabled, let session = CloseRequest(body).session(services.publicIDs) {
            try await services.sessions.close(session, in: app.scope)
        }
        return .json([:])
    }

    private func start(_ request: Request, _ context: LindenContext, _ endpoint: OpenRequest.Endpoint) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let start: SessionStart
        if let open = ServerOpenRequest(body) {
            let app = try await context.appOfSecret(body, of: services)
            start = try open.sessionStart(app: app, services.publicIDs)
        } else {
            start = OpenRequest(body, endpoint: endpoint).sessionStart(
                app: try await context.app(body, of: services),
                address: options.clientAddress(of: request, context), userAgent: request.header(.userAgent) ?? "",
                clientHints: request.clientHints, services.publicIDs)
        }
        let session = try await services.sessions.start(start)
        context.admission?.charge(bytes: session.storedBytes)
        let response = SessionResponse(session, to: body, app: start.app, baseURL: services.baseURL, services.publicIDs)
        return .json(response.json)
    }
}
