import Hummingbird
import LindenKernel
import LindenServices

/// The call by which a proxy asks whether it may get a certificate for a host: Caddy's `ask`.
///
/// It takes no token, so it answers only clients on this machine or in the networks of trusted proxies, and only what they ask
/// themselves: a request that they forward for a visitor gets the answer of an unknown host.
struct CertificateRoutes {
    let hosts: CertificateHosts
    let options: ServerOptions

    /// `GET /api/v1/certificates/ask?domain=HOST`: 200 for a host of this installation, otherwise 404.
    func ask(_ request: Request, _ context: LindenContext) async throws -> Response {
        let domain = request.queryValue("domain") ?? ""
        guard isFromProxy(request, context), try await hosts.contains(domain, dashboard: options.dashboard) else {
            throw Failure.notFound("No certificate: the host is neither an app's domain nor the base URL's, or a visitor asks.")
        }
        return .json(["domain": .string(domain)])
    }

    private func isFromProxy(_ request: Request, _ context: LindenContext) -> Bool {
        guard let peer = context.peer, !request.isForwarded else { return false }
        return (options.trustedProxies + RateLimits.loopback).contains { $0.contains(peer) }
    }
}
