import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenLedger

/// Referral codes of Branch's SDKs before 2016 (Web up to 2.61).
struct ReferralCodeRoutes {
    let callers: CreditCallers
    let referralCodes: ReferralCodeService
    let options: ServerOptions

    func make(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.caller(fields, context)
        let new = try ReferralCodeRequest.code(fields, of: try caller.makingCodes())
        let code = try await referralCodes.make(
            new, try request.creditCall("v1/referralcode", fields, isTrusted: caller.isServer), in: caller.app.scope)
        return .json(ReferralCodeRequest.response(code))
    }

    func check(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await callers.caller(try await request.fields(options), context)
        let code = try await referralCodes.check(
            try name(in: context), for: try caller.reading(), in: caller.app.scope)
        return .json(ReferralCodeRequest.response(code))
    }

    func apply(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(options)
        let caller = try await callers.caller(fields, context)
        let name = try name(in: context)
        let code = try await referralCodes.apply(
            name, for: try caller.applyingCode(), from: caller.isServer ? nil : context.client,
            try request.creditCall("v1/applycode", fields, isTrusted: caller.isServer), in: caller.app.scope)
        return .json(ReferralCodeRequest.response(code))
    }

    private func name(in context: LindenContext) throws -> String {
        guard let name = context.parameters.get("code"), name.utf8.count <= 64 else {
            throw Failure.notFound("There is no such referral code.")
        }
        return name
    }
}
