import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices

/// The held rewards of an app in the management API, authorized by an access token.
struct HeldRewardManagementRoutes {
    /// What becomes of a held reward.
    enum Decision: String, CaseIterable {
        case release, refuse
    }

    let authorizer: AppAuthorizer
    let heldRewards: HeldRewardService
    let publicIDs: PublicIDs
    let clock: WallClock
    let options: ServerOptions

    /// The held rewards that match, oldest first, and the days on which more were dropped.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readSessions, parameters: ["app", "rule", "address", "network", "since", "limit"],
            of: "the list of held rewards")
        let filter = try await filter(
            rule: try query.value("rule").map(Self.rule), address: query.value("address"), network: query.value("network"),
            since: query.value("since"))
        let limit = try query.number("limit", in: 1...1000) ?? 50
        let held: [JSON] = try await heldRewards.list(scope, filter, limit: limit).map { held, user, rule in
            .object(held.view(recipient: user, rule: rule, publicIDs))
        }
        return .json([
            "held": .array(held),
            "dropped": .array(
                try await heldRewards.dropped(of: scope).map { day in
                    ["day": .string(Day(number: day.day).text), "rewards": .integer(Int64(day.dropped))]
                }),
        ])
    }

    /// Releases or refuses one held reward, or all that match.
    func decide(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .administer, of: "the decision on held rewards").scope
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["decision", "id", "all", "rule", "address", "network", "since"], of: "a decision")
        guard let decision: Decision = try body.choice("decision") else {
            throw Failure.invalid("decision is missing: release or refuse.")
        }
        let result = try await decided(decision, body, scope)
        return .json([
            "decision": .string(decision.rawValue), "decided": .integer(Int64(result.decided)),
            "kept": .integer(Int64(result.kept)),
        ])
    }

    private func decided(
        _ decision: Decision, _ body: RequestFields, _ scope: Scope
    ) async throws -> HeldRewardService.Decision {
        let isAll = try body.strictFlag("all") ?? false
        let hasConditions = ["rule", "address", "network", "since"].contains { body.members[$0] != nil }
        if let id = try body.integer("id").map(HeldReward.ID.init(rawValue:)) {
            guard !isAll, !hasConditions else { throw Failure.invalid("Give the id of one held reward, or all, not both.") }
            switch decision {
            case .release: _ = try await heldRewards.release(id, of: scope)
            case .refuse: try await heldRewards.refuse(id, of: scope)
            }
            return HeldRewardService.Decision(decided: 1)
        }
        guard isAll else { throw Failure.invalid("Give the id of one held reward, or all: true, with conditions or without.") }
        let filter = try await filter(
            rule: try body.integer("rule").map(RewardRule.ID.init(rawValue:)), address: try body.strictText("address"),
            network: try body.strictText("network"), since: try body.strictText("since"))
        return switch decision {
        case .release: try await heldRewards.releaseAll(scope, filter)
        case .refuse: try await heldRewards.refuseAll(scope, filter)
        }
    }

    private func filter(
        rule: RewardRule.ID?, address: String?, network: String?, since: String?
    ) async throws -> HeldRewardFilter {
        try await heldRewards.filter(
            rule: rule, address: address, network: network,
            since: since.map { try DateExpression("since", $0, now: clock.now()).start })
    }

    private static func rule(_ text: String) throws -> RewardRule.ID {
        guard let id = Int64(text) else { throw Failure.invalid("rule must be the id of a rule, not \"\(text)\".") }
        return RewardRule.ID(rawValue: id)
    }
}
