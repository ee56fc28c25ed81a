import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenLedger

/// The caller of a credit call, and the identity whose credits it concerns. A server has the app's secret; an app has its branch key, which
/// is public, and the tokens of its identity.
struct CreditCaller {
    let app: AppContext
    let isServer: Bool
    let account: AccountReference

    var source: CreditCause.Source { isServer ? .server : .sdk }

    /// Whether the caller learns the names of users who referred the identity or whom it referred. With `security=strict`, only a server
    /// does: links and the branch key are public.
    var seesOthers: Bool { isServer || !app.app.configuration.isStrict }

    /// Returns the account to read. Without the secret, a developer identity is accepted only if the app allows it.
    func reading() throws -> AccountReference {
        if case .named = account, !isServer, !app.app.configuration.credits.readByKey {
            throw Failure.closed("credits.read_by_key", "Credits are not read by a user's name alone")
        }
        return account
    }

    /// Returns the account to spend from. Without the secret, only tokens are accepted, and only if the app allows it.
    func spending() throws -> AccountReference {
        if !isServer {
            guard case .tokens = account else { throw Failure.missingBranchSecret }
            guard app.app.configuration.credits.clientRedeem else {
                throw Failure.closed("credits.client_redeem", "Credits are not redeemed by the app itself")
            }
        }
        return account
    }

    /// Returns the account that creates a referral code. Without the secret, only tokens are accepted, and only if the app allows it.
    func makingCodes() throws -> AccountReference {
        if !isServer {
            guard app.app.configuration.credits.clientCodes else {
                throw Failure.closed("credits.client_codes", "Referral codes are not made by the app itself")
            }
            guard case .tokens = account else { throw Failure.missingBranchSecret }
        }
        return account
    }

    /// Returns the account that applies a referral code. Without the secret, only tokens are accepted, and only if the app allows it.
    func applyingCode() throws -> AccountReference {
        if !isServer {
            guard case .tokens = account else { throw Failure.missingBranchSecret }
            guard app.app.configuration.credits.clientApply else {
                throw Failure.closed("credits.client_apply", "Referral codes are not applied by the app itself")
            }
        }
        return account
    }
}

/// Determines the callers of credit calls.
struct CreditCallers {
    let directory: AppDirectory
    let credits: CreditService
    let publicIDs: PublicIDs

    /// Returns the caller of a call. Fails with `invalid`, as Branch does, for a wrong key or secret and for a call that names no identity.
    func caller(_ fields: RequestFields, _ context: LindenContext) async throws -> CreditCaller {
        guard fields.branchSecret == nil else { return try await server(fields, context) }
        let app = try await context.admittedApp(fields, in: directory)
        let account = try AccountReference(fields, publicIDs)
        guard case .tokens(let tokens) = account else { return CreditCaller(app: app, isServer: false, account: account) }
        return CreditCaller(app: app, isServer: false, account: try await claimed(tokens, of: app))
    }

    /// Returns the caller of a call that requires the secret. It is the app's own server rather than an operator: the ledger records it.
    func server(_ fields: RequestFields, _ context: LindenContext) async throws -> CreditCaller {
        let app = try await context.appOfSecret(fields, isOperator: false, in: directory)
        return CreditCaller(app: app, isServer: true, account: try AccountReference(fields, publicIDs))
    }

    /// Returns the account of a call without the secret. Rejects an identity that has a developer identity, unless the app allows it: any
    /// device could log in under that name and obtain the identity's tokens. The account is the checked identity's, even if its device has
    /// another user before the call reads or changes it.
    func claimed(_ tokens: UserTokens, of app: AppContext) async throws -> AccountReference {
        guard !app.app.configuration.credits.claimByName else { return .tokens(tokens) }
        let user = try await credits.user(of: .tokens(tokens), in: app.scope)
        guard user.developerIdentity == nil else {
            throw Failure.closed(
                "credits.claim_by_name", "Credits of users who have a name are not read or changed by the app itself")
        }
        return .tokens(UserTokens(device: tokens.device, identity: user.id))
    }
}

extension Request {
    /// Returns the credit call with the keys that identify its retries: the header `Idempotency-Key`, and the request key of SDKs, which do
    /// not send that header.
    func creditCall(_ name: String, _ fields: RequestFields, isTrusted: Bool) throws -> CreditCall {
        try CreditCall(
            idempotencyKey: header(.idempotencyKey), requestKey: fields.requestKey(for: name), isTrusted: isTrusted)
    }

    /// The fields of a call: in the query of a GET, else in the body.
    func fields(_ options: ServerOptions) async throws -> RequestFields {
        guard method == .get else { return try await fields(upTo: options.maximumSmallBodyBytes) }
        return try RequestFields(query: rawQuery ?? "").withSecret(secretHeader)
    }
}

extension AccountReference {
    /// The reference in a call's fields: the tokens of the identity's SDK, which no other client has, or the developer's id, which other
    /// clients may know too. Prefers the tokens in calls without the secret, and the developer's id in calls with it. Fails with `invalid`
    /// for a call that has neither.
    fileprivate init(_ fields: RequestFields, _ ids: PublicIDs) throws {
        let tokens = fields.tokens(ids)
        if tokens.identity != nil || tokens.device != nil, fields.branchSecret == nil {
            self = .tokens(tokens)
        } else if let name = fields.text("identity", "developer_identity") {
            self = .named(name)
        } else if tokens.identity != nil {
            self = .tokens(tokens)
        } else {
            throw Failure.invalid("identity is missing.")
        }
    }
}

extension Failure {
    /// Status 400 rather than 403, upon which Android SDKs up to 3.x fail all queued requests.
    fileprivate static func closed(_ setting: String, _ what: String) -> Failure {
        .invalid("\(what) here, but with branch_secret (the app's setting \(setting), or security=strict).")
    }
}
