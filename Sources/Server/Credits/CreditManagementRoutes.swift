import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

/// The credits of an app's users in the management API, authorized by an access token.
struct CreditManagementRoutes {
    let authorizer: AppAuthorizer
    let credits: CreditService
    let publicIDs: PublicIDs
    let options: ServerOptions

    /// The balances of a user, by bucket.
    func balances(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readSessions, parameters: ["app", "identity", "bucket"], of: "the balances")
        let holder = try holder(query.value("identity"))
        guard let name = query.value("bucket") else {
            let balances = try await credits.balances(of: holder, in: scope)
            return .json(["balances": .object(JSONObject(balances.map { (key: $0.bucket.name, value: .integer($0.balance)) }))])
        }
        let bucket = try Bucket(name)
        let balance = try await credits.balance(of: holder, in: bucket, scope)
        return .json(["balances": .object(JSONObject([(key: bucket.name, value: .integer(balance))]))])
    }

    /// The transactions of a user, newest first.
    func history(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readSessions, parameters: ["app", "identity", "bucket", "cursor", "limit"], of: "the history")
        let limit = try query.number("limit", in: 1...Int(CreditHistoryQuery.largestLength)) ?? 50
        let records = try await credits.history(
            CreditHistoryQuery(
                bucket: try query.value("bucket").map { try Bucket($0) },
                after: try query.cursor().map(CreditTransaction.ID.init(rawValue:)), length: Int64(limit)),
            of: try holder(query.value("identity")), in: scope)
        return .json([
            "transactions": .array(records.map { .object($0.view) }),
            // A full page may be the last one; the next is then empty.
            "next_cursor": JSON(records.count == limit ? records.last.map { String($0.transaction.id.rawValue) } : nil),
        ])
    }

    func grant(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, body) = try await change(
            request, context, to: .moveCredits, ["identity", "amount", "bucket", "expires_at"], of: "a grant of credits")
        let grant = CreditGrant(
            holder: try holder(body.text("identity")), amount: try CreditAmount(body.integer("amount")),
            bucket: try Bucket(body.strictText("bucket")), expiresAt: try body.time("expires_at").value)
        let receipt = try await credits.grantWithReceipt(grant, RequestedCause(.operator), try call(request), in: scope)
        return .json(.object(receipt.record.view))
    }

    func redeem(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, body) = try await change(
            request, context, to: .moveCredits, ["identity", "amount", "bucket"], of: "a redemption of credits")
        let redemption = CreditWithdrawal(
            holder: try holder(body.text("identity")), amount: try CreditAmount(body.integer("amount")),
            bucket: try Bucket(body.strictText("bucket")))
        let receipt = try await credits.redeemWithReceipt(redemption, RequestedCause(.operator), try call(request), in: scope)
        return .json(.object(receipt.record.view))
    }

    func reverse(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, body) = try await change(request, context, to: .administer, ["transaction", "fraud"], of: "a reversal")
        guard let id = try body.integer("transaction") else { throw Failure.invalid("transaction is missing: its id.") }
        let entries = try await credits.reverse(
            CreditTransaction.ID(rawValue: id), isFraud: try body.strictFlag("fraud") ?? false, try call(request), in: scope)
        return .json(.object(entries.first?.view(reversing: CreditTransaction.ID(rawValue: id)) ?? [:]))
    }

    private func change(
        _ request: Request, _ context: LindenContext, to permission: Permission, _ members: [String], of subject: String
    ) async throws -> (Scope, RequestFields) {
        let scope = try await authorizer.authorize(request, context, to: permission, of: "this call").scope
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(members, of: subject)
        return (scope, body)
    }

    private func holder(_ identity: String?) throws -> AccountReference {
        guard let identity else { throw Failure.invalid("identity is missing: your own id of the user, or an identity_id.") }
        return .reference(identity, id: publicIDs.id(named: identity))
    }

    private func call(_ request: Request) throws -> CreditCall {
        try CreditCall(idempotencyKey: request.header(.idempotencyKey))
    }
}
