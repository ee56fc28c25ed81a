import Hummingbird
import Linden
import LinkRouting
import NIOCore

/// What stands before the router: the ways in which browsers and SDKs reach a call that is the same call inside.
///
/// - `//v1/open`, from SDKs whose base URL ends in a slash, is `/v1/open`.
/// - JSONP, a `<script>` that asks for `/v1/open?data=<base64>&callback=f`, is a POST of that data (https://github.com/BranchMetrics/web-branch-deep-linking-attribution).
/// - A page on another origin may read every answer; what its browser asks beforehand is answered here.
///
/// The router asks the limits. A call as JSONP is counted here, since its data is decoded to find its route, and so is what a browser asks
/// beforehand, which has no route.
package struct LindenResponder: HTTPResponder {
    package typealias Context = LindenContext

    let router: RouterResponder<LindenContext>
    let services: Services
    let options: ServerOptions

    package func respond(to request: Request, context: LindenContext) async throws -> Response {
        if let fault = options.proxyFault(of: request, from: context.peer) {
            services.proxyFaults.record(fault.kind, of: fault.proxy)
        }
        var response: Response
        do {
            response = try await answer(to: request, context)
        } catch let failure as Failure {
            response = Response(failure.answer)
        }
        response.headers.allowOrigin(of: request)
        return response
    }

    /// Fails with `rateLimited` for a call as JSONP, whose browser reads no error, and for what a browser asks beforehand.
    private func answer(to request: Request, _ context: LindenContext) async throws -> Response {
        var context = context
        if request.isPreflight {
            try services.limiter.admit(.request, of: nil, from: options.clientAddress(of: request, context))
            return Response(status: .noContent, headers: .preflight(for: request))
        }
        if JSONPCall.isCandidate(request) {
            try services.limiter.admit(.request, of: nil, from: options.clientAddress(of: request, context))
            context.isRequestCounted = true
        }
        guard let call = JSONPCall(request) else {
            return try await router.respond(to: request.withoutEmptySegments, context: context)
        }
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

    /// Only before API paths: in a link's path every slash may mean something.
    fileprivate var withoutEmptySegments: Request {
        guard let path = head.path, path.hasPrefix("//") else { return self }
        let trimmed = "/" + path.drop { $0 == "/" }
        guard Routes.isAPI(path: URLParts(trimmed).path) else { return self }
        var head = head
        head.path = trimmed
        return Request(head: head, body: body)
    }
}
