import BranchWire
import Hummingbird
import Linden

/// Credits in the shapes that SDKs up to 2021 read. There is no ledger yet: nobody has credits, so nothing can be redeemed.
struct CreditRoutes {
    let services: Services
    let options: ServerOptions

    /// By key and identity, or from old SDKs by the identity token alone.
    func balance(_ request: Request, _ context: LindenContext) async throws -> Response {
        if context.parameters.get("identity_id") == nil {
            _ = try await services.directory.app(branchKey: request.queryValue("branch_key"))
        }
        return .json(["default": 0])
    }

    /// A bare array, which is what the SDKs read.
    func history(_ request: Request, _ context: LindenContext) async throws -> Response {
        if request.method == .get {
            _ = try await services.directory.app(branchKey: request.queryValue("branch_key"))
        } else {
            _ = try await services.directory.app(branchKey: try await request.fields(upTo: options.maximumBodyBytes).branchKey)
        }
        return .json([])
    }

    func redeem(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        _ = try await services.directory.app(branchKey: body.branchKey)
        guard let amount = body.text("amount").flatMap({ Int64($0) }), amount > 0 else {
            throw Failure.invalid("amount must be a whole number above 0.")
        }
        throw Failure(.insufficient, "There are only 0 credits in this bucket.")
    }

    func referralCode(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        _ = try await services.directory.app(branchKey: body.branchKey)
        throw Failure.invalid("There are no referral codes here yet.")
    }
}
