import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The keys, secrets and signed URLs of an app in the management API, authorized by an access token of the role admin.
///
/// The path names the app by a key or, for its live side, by its id. A replaced key or secret is accepted beside its successor for the
/// `overlap` of the call.
struct AppKeyManagementRoutes {
    let authorizer: PathAppAuthorizer
    let keys: KeyRotationService
    let options: ServerOptions

    /// Gives the app a new key. By default the former one is accepted until it is ended.
    func rotateKey(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, overlap) = try await rotation(request, context, default: RotationOverlap.standardOfKeys)
        let (key, former) = try await keys.rotateKey(of: scope, overlap: overlap)
        return .json(.object(scope.keyView(key, former: former)))
    }

    /// Refuses calls with a former key from now on.
    func endKey(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .administer)
        let key = context.parameters.get("key") ?? ""
        do {
            guard try await authorizer.apps.scope(of: key).app == scope.app else { throw Failure.noSuchApp(key) }
        } catch let failure as Failure where failure.code == .notFound {
            // The same for the key of another app and for none.
            throw Failure.notFound("\(key) is not a key of this app.")
        }
        return .json(.object(try await keys.endKey(key).endedView))
    }

    /// Gives the app a new secret, and shows it for the only time. By default the former one is accepted for seven days.
    func rotateSecret(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, overlap) = try await rotation(request, context, default: RotationOverlap.standardOfSecrets)
        let (secret, end) = try await keys.rotateSecret(of: scope, overlap: overlap)
        return .json(.object(scope.secretView(secret, formerEndsAt: end)))
    }

    /// Refuses the app's former secrets from now on, and revokes its signed URLs.
    func endFormerSecrets(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .administer)
        let count = try await keys.endFormerSecrets(of: scope)
        return .json(.object(scope.endedSecretsView(count)))
    }

    /// Revokes the signed URLs of the app's exports, reports and personal data.
    func revokeSignedURLs(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .administer)
        try await keys.revokeSignedURLs(of: scope.app)
        return .json(["app_id": .string(String(scope.app.rawValue)), "revoked": true])
    }

    private func rotation(
        _ request: Request, _ context: LindenContext, default standard: String
    ) async throws -> (scope: Scope, overlap: RotationOverlap) {
        let scope = try await authorizer.authorize(request, context, to: .administer)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["overlap"], of: "a rotation")
        return (scope, try RotationOverlap(body.strictText("overlap") ?? standard))
    }
}
