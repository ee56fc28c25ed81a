import Hummingbird
import Linden
import LinkRouting
import NIOCore

/// What stands before the router: the ways in which browsers and SDKs reach a call that is the same call inside.
///
/// - `//v1/open`, from SDKs whose base URL ends in a slash, is `/v1/open`.
/// - JSONP, a `<script>` that asks for `/v1/open?data=<base64>&callback=f`, is a POST of that data (https://github.com/BranchMetrics/web-branch-deep-linking-attribution).
/// - A page on another origin may read every answer; what its browser asks beforehand is answered here.
package struct LindenResponder: HTTPResponder {
    package typealias Context = LindenContext

    let router: RouterResponder<LindenContext>
    let options: ServerOptions
    let proxyFaults: ProxyFaultMonitor

    package func respond(to request: Request, context: LindenContext) async throws -> Response {
        if let fault = options.proxyFault(of: request, from: context.peer) { proxyFaults.record(fault.kind, of: fault.proxy) }
        if request.isPreflight { return Response(status: .noContent, headers: .preflight(for: request)) }
        let call = JSONPCall(request)
        var response =
            call?.carriesSecret == true
            ? Response(Failure.secretInAddress.answer)
            : try await router.respond(to: (call?.request ?? request).withoutEmptySegments, context: context)
        if let call { response = try await call.wrap(response) }
        response.headers.allowOrigin(of: request)
        return response
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
