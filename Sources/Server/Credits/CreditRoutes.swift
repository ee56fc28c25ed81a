import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenLedger

/// Branch's credit calls: those of its public API until 2021 and of the SDKs of that time.
struct CreditRoutes {
    let callers: CreditCallers
    let directory: AppDirectory
    let credits: CreditService
    let rewards: RewardService
    let publicIDs: PublicIDs
    let options: ServerOptions

    /// `GET /v1/credits`: balances by branch key and identity.
    func balance(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await callers.caller(try await request.fields(options), context)
        return .json(CreditBalancesResponse.json(try await credits.balances(of: caller.reading(), in: caller.app.scope)))
    }

    /// `GET /v1/credits/<identity>`: balances as SDKs ask for them. The identity's token determines the app; a key is optional.
    func balanceByToken(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await context.beginTurn()
        let id: Identity.ID? = context.parameters.get("identity_id").flatMap { publicIDs.id(for: $0) }
        guard let id, let scope = try await credits.scope(of: id) else {
            throw Failure.invalid("There is no such identity.")
        }
        if let key = request.queryValue("branch_key") {
            guard try await context.admittedApp(branchKey: key, in: directory).scope == scope else {
                throw Failure.invalid("The identity does not belong to this app.")
            }
        } else {
            try context.admit(scope)
        }
        guard let app = try await directory.app(scope: scope) else { throw Failure.invalid("There is no such identity.") }
        let holder = try await callers.claimed(UserTokens(identity: id), of: app)
        return .json(CreditBalancesResponse.json(try await credits.balances(of: holder, in: scope)))
    }

    /// The history as a bare array, which the SDKs expect.
    func history(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.caller(fields, context)
        let records = try await credits.history(
            try CreditHistoryRequest.query(fields), of: caller.reading(), in: caller.app.scope)
        return .json(CreditHistoryResponse.json(records, showsNames: caller.seesOthers))
    }

    /// `POST /v1/credits`: grants credits; requires the secret.
    func grant(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.server(fields, context)
        let change = try CreditChangeRequest(fields)
        try await credits.grant(
            change.grant(to: caller.account), try change.reason(.server),
            try request.creditCall("v1/credits", fields, isTrusted: caller.isServer),
            in: caller.app.scope)
        return .json(["success": true])
    }

    func redeem(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.caller(fields, context)
        let change = try CreditChangeRequest(fields)
        try await credits.redeem(
            change.withdrawal(from: try caller.spending()), try change.reason(caller.source),
            try request.creditCall("v1/redeem", fields, isTrusted: caller.isServer), in: caller.app.scope)
        return .json([:])
    }

    /// `POST /v1/reconcile`: takes an amount, or the whole balance if it is lower; requires the secret.
    func reconcile(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.server(fields, context)
        let change = try CreditChangeRequest(fields)
        let receipt = try await credits.reconcile(
            change.withdrawal(from: caller.account), try change.reason(.server),
            try request.creditCall("v1/reconcile", fields, isTrusted: caller.isServer), in: caller.app.scope)
        return .json(CreditChangeRequest.response(receipt, publicIDs))
    }

    /// `POST /v1/eventresponse`: adds a reward rule; requires the secret.
    func eventResponse(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let app = try await context.appOfSecret(fields, in: directory)
        let rule = try await rewards.add(
            try EventResponseRequest.rule(fields), to: app.scope,
            try request.creditCall("v1/eventresponse", fields, isTrusted: true))
        let warning = try await rewards.warning(about: rule)
        return .json(warning.map { ["warnings": [.string($0)]] } ?? [:])
    }
}
