import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LinkRouting
import NIOCore

/// The responder in front of the router: normalizes the ways in which browsers and SDKs make a call.
///
/// - `//v1/open`, from SDKs whose base URL ends in a slash, becomes `/v1/open`.
/// - JSONP, a `<script>` that requests `/v1/open?data=<base64>&callback=f` (Branch's Web SDK), becomes a POST of that data.
/// - Pages of all origins may read every response; preflight requests are answered here. The dashboard has neither.
///
/// The router applies the limits. JSONP calls are counted here, since their data is decoded to find the route, and so are preflight
/// requests, which have no route.
package struct LindenResponder: HTTPResponder {
    package typealias Context = LindenContext

    let router: RouteTableResponder
    /// Nil if the dashboard is not enabled.
    let dashboard: DashboardRoutes?
    let proxyFaults: ProxyFaultMonitor
    let limiter: RateLimiter
    let options: ServerOptions
    let baseURL: BaseURL
    let recorder: RequestRecorder

    package func respond(to request: Request, context: LindenContext) async throws -> Response {
        try await recorder.recorded(request, context) { context in
            var response = try await response(to: request, context)
            let strictTransport = options.strictTransport(
                forwardedScheme: request.header(.forwardedProto), from: context.peer, baseURL)
            // Setting a field costs a search of all of them, also where there is no value.
            if let strictTransport { response.headers[.strictTransportSecurity] = strictTransport }
            return response
        }
    }

    private func response(to request: Request, _ context: LindenContext) async throws -> Response {
        let client = context.knownClient ?? options.client(by: request.forwardedAddresses, from: context.peer)
        if let fault = client.fault { proxyFaults.record(fault.kind, of: fault.proxy) }
        var context = context
        context.client = client.address
        // Before everything that lets pages of other sites make calls and read responses.
        if let dashboard, dashboard.serves(request) { return try await dashboard.respond(to: request, context) }
        var response: Response
        do {
            response = try await answer(to: request, context)
        } catch let failure as Failure {
            response = Response(failure.answer)
        }
        response.headers.allowOrigin(of: request)
        return response
    }

    /// Fails with `rateLimited` for JSONP calls, whose browser cannot read an error, and for preflight requests.
    private func answer(to request: Request, _ context: LindenContext) async throws -> Response {
        var context = context
        if request.isPreflight {
            try limiter.admit(.request, of: nil, from: context.client)
            return Response(status: .noContent, headers: .preflight(for: request))
        }
        if JSONPCall.isCandidate(request) {
            try limiter.admit(.request, of: nil, from: context.client)
            context.isRequestCounted = true
        }
        guard let call = JSONPCall(request) else {
            return try await router.respond(to: request.withoutEmptySegments, context: context)
        }
        context.isJSONP = true
        let response =
            call.carriesSecret
            ? Response(Failure.secretInAddress.answer)
            : try await router.respond(to: call.request.withoutEmptySegments, context: context)
        return try await call.wrap(response)
    }
}

extension Request {
    fileprivate var isPreflight: Bool {
        method == .options
    }

    /// The request without leading empty path segments. Only for API paths: in a link's path, every slash may be significant.
    fileprivate var withoutEmptySegments: Request {
        guard let path = head.path, path.hasPrefix("//") else { return self }
        let trimmed = "/" + path.drop { $0 == "/" }
        guard Routes.isAPI(path: URLParts(trimmed).path) else { return self }
        var head = head
        head.path = trimmed
        return Request(head: head, body: body)
    }
}
