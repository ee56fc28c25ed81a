import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenLedger
import LindenServices

/// Branch's attribution queries about a device or identity: cross-platform ID, last attributed touch, referral counts.
struct AttributionRoutes {
    let directory: AppDirectory
    let identities: IdentityService
    let lastTouches: LastTouchService
    let credits: CreditService
    let publicIDs: PublicIDs
    let options: ServerOptions

    func crossPlatformID(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let user = try await identities.crossPlatformUser(UserFields(body).tokens(publicIDs), in: app.scope)
        return .json(CrossPlatformResponse.json(user))
    }

    func lastTouch(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let question = LastTouchRequest(body)
        let touch = try await lastTouches.lastTouch(
            of: question.tokens(publicIDs), in: app, within: .seconds(question.attributionWindow * 86400))
        return .json(question.response(touch))
    }

    /// Counts the installs and opens that an identity's links led to (old Web SDKs). The call has no key; its identity determines the app.
    func referrals(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await context.beginTurn()
        let id: Identity.ID? = context.parameters.get("identity_id").flatMap { publicIDs.id(for: $0) }
        guard let id, let scope = try await credits.scope(of: id) else {
            throw Failure.invalid("There is no such identity.")
        }
        try context.admit(scope)
        // With names to try, whose link was opened would show in the counts.
        if let app = try await directory.app(scope: scope), app.app.configuration.isStrict,
            try await credits.user(of: .tokens(UserTokens(identity: id)), in: scope).developerIdentity != nil
        {
            throw Failure.invalid("Referrals of users who have a name are not counted for the app itself here (security=strict).")
        }
        guard let counts = try await identities.referrals(by: id, kinds: [.install, .open]) else {
            throw Failure.invalid("There is no such identity.")
        }
        func json(_ count: ReferralCount) -> JSON { ["total": .integer(count.total), "unique": .integer(count.unique)] }
        return .json(["install": json(counts[0]), "open": json(counts[1])])
    }
}
