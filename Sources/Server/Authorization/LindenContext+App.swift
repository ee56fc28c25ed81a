import BranchWire
import Connections
import Linden
import LindenKernel
import LindenServices

/// The authorization of calls by a branch key, with or without its secret. Calls with an access token: `Request.authorizedApp`.
extension LindenContext {
    /// Returns the app of a branch key after the limits admit the call and its client has its turn, see ``ClientTurns``. Fails with
    /// `invalid` for an unknown key and with `rateLimited`.
    ///
    /// - Parameters:
    ///   - secret: an optional secret. If it is correct, the call counts against the secret's own buckets, and it needs no turn any more; a
    ///     wrong one has no effect.
    ///   - bytes: the length of the body.
    ///   - amount: the number of items in the call.
    func admittedApp(
        branchKey: String?, secret: String? = nil, bytes: Int = 0, amount: Int = 1, in directory: AppDirectory
    ) async throws -> AppContext {
        let app = try await directory.app(branchKey: branchKey)
        let hasSecret = directory.accepts(secret, of: app)
        try admission?.admit(app.scope, hasSecret: hasSecret, bytes: bytes, amount: amount)
        CallOrigin.current?.belongs(to: app.scope.app, isAuthorized: hasSecret, bytes: bytes)
        if hasSecret { callTurn?.end() } else { try await callTurn?.begin() }
        return app
    }

    /// Begins the turn of a call that needs no branch key, before anything is looked up for it. Does nothing if it has begun. Fails with
    /// `unavailable`.
    func beginTurn() async throws(Failure) {
        try await callTurn?.begin()
    }

    /// Ends the turn of a call that waits for a turn of another kind.
    func endTurn() { callTurn?.end() }

    /// Admits a call that has no branch key but names an entity of the app, such as a click or an identity. Fails with `rateLimited`.
    func admit(_ scope: Scope, bytes: Int = 0) throws(Failure) {
        try admission?.admit(scope, hasSecret: false, bytes: bytes)
        CallOrigin.current?.belongs(to: scope.app, isAuthorized: false, bytes: bytes)
    }

    /// Returns the app of the branch key in a call's fields.
    func admittedApp(_ fields: RequestFields, in directory: AppDirectory) async throws -> AppContext {
        try await admittedApp(branchKey: fields.branchKey, secret: fields.branchSecret, bytes: fields.byteCount, in: directory)
    }

    /// Returns the app of a call that requires the secret. Fails with `invalid` if it is missing or wrong.
    ///
    /// - Parameter isOperator: whether the audit log records what the call changes. False for what the app's own server does all day.
    func admittedApp(
        branchKey: String?, neededSecret: String?, isOperator: Bool = true, bytes: Int = 0, in directory: AppDirectory
    ) async throws -> AppContext {
        let app = try await admittedApp(branchKey: branchKey, secret: neededSecret, bytes: bytes, in: directory)
        guard let neededSecret, !neededSecret.isEmpty else { throw Failure.missingBranchSecret }
        guard directory.accepts(neededSecret, of: app) else { throw Failure.wrongBranchSecret }
        if isOperator { OperatorCall.identify(.secret(of: app.app)) }
        return app
    }

    /// Returns the app of the branch key in a call's fields. Fails with `invalid` unless they have its secret.
    func appOfSecret(_ fields: RequestFields, isOperator: Bool = true, in directory: AppDirectory) async throws -> AppContext {
        try await admittedApp(
            branchKey: fields.branchKey, neededSecret: fields.branchSecret, isOperator: isOperator, bytes: fields.byteCount,
            in: directory)
    }
}
