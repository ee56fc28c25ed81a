import Hummingbird
import Linden
import LinkRouting

/// Keeps secrets out of addresses, which proxies log and browsers keep.
///
/// Branch's clients put an app's secret into the query of three calls, and there it is accepted. Elsewhere a call is refused that has one
/// in its query, so that a mistake shows at once; the header `Branch-Secret` or the body takes it.
struct AddressSecretsMiddleware: RouterMiddleware {
    /// Fails with `invalid` for a secret where none may be.
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
    /// 400 like other wrong credentials.
    static let secretInAddress = Failure.invalid(
        "branch_secret must not be in the address of this call: send it in the body or in the header Branch-Secret.")
}
