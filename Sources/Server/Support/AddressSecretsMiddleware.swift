import Hummingbird
import LindenKernel
import LinkRouting

/// Middleware that keeps app secrets out of URLs, which proxies log and browsers store.
///
/// Three of Branch's calls have the secret in their query and are accepted. All other calls with one there are refused, so that the mistake
/// shows at once; the secret belongs in the header `Branch-Secret` or the body.
struct AddressSecretsMiddleware: RouterMiddleware {
    /// Fails with `invalid` if a call has a secret in its URL that may not be there.
    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        if Self.hasSecret(request), !Self.isAllowed(request) { throw Failure.secretInAddress }
        return try await next(request, context)
    }

    private static func hasSecret(_ request: Request) -> Bool {
        guard let query = request.rawQuery, Routes.isAPI(path: request.rawPath),
            query.hasBytes(of: "secret") || query.hasBytes(of: "%")
        else { return false }
        return request.queryValue("branch_secret") != nil
    }

    private static func isAllowed(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        let segments = request.rawPath.split(separator: "/")
        return switch segments.count {
        case 2: segments[0] == "v1" && segments[1] == "credits"
        case 3: segments[0] == "v1" && segments[1] == "app" || segments[0] == "v2" && segments[1] == "export"
        default: false
        }
    }
}

extension Failure {
    /// Status 400, as for other wrong credentials.
    static let secretInAddress = Failure.invalid(
        "branch_secret must not be in the address of this call: send it in the body or in the header Branch-Secret.")
}
