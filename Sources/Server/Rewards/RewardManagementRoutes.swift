import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

/// The reward rules of an app in the management API, authorized by an access token.
struct RewardManagementRoutes {
    let authorizer: AppAuthorizer
    let rewards: RewardService
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readLinks, parameters: ["app", "cursor", "limit"], of: "the list of rules")
        let page = try await rewards.list(
            scope, after: try query.cursor().map(RewardRule.ID.init(rawValue:)),
            limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json([
            "rewards": .array(page.rules.map { .object($0.view) }), "next_cursor": JSON(page.next.map { String($0.rawValue) }),
        ])
    }

    func add(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await scope(request, context, .administer)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let call = try CreditCall(idempotencyKey: request.header(.idempotencyKey))
        let rule = try await rewards.add(try body.rule(), to: scope, call)
        let warning = try await rewards.warning(about: rule)
        return .json(.object(rule.view.merging(warning.map { ["warnings": .array([.string($0)])] } ?? [:])))
    }

    /// Pauses or resumes a rule.
    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await scope(request, context, .administer)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["paused"], of: "a rule")
        guard let isPaused = try body.strictFlag("paused") else { throw Failure.invalid("paused is missing: true or false.") }
        let id = try id(context)
        try await rewards.set(id, of: scope, isPaused: isPaused)
        return .json(.object(try await rewards.rule(id, of: scope).view))
    }

    func remove(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await scope(request, context, .administer)
        let id = try id(context)
        try await rewards.remove(id, from: scope)
        return .json(["id": .string(String(id.rawValue)), "removed": true])
    }

    private func scope(_ request: Request, _ context: LindenContext, _ permission: Permission) async throws -> Scope {
        try await authorizer.authorize(request, context, to: permission, of: "the calls of rules").scope
    }

    private func id(_ context: LindenContext) throws -> RewardRule.ID {
        let text = context.parameters.get("rule_id") ?? ""
        guard let id = Int64(text) else { throw Failure.notFound("There is no rule \(text).") }
        return RewardRule.ID(rawValue: id)
    }
}

extension RequestFields {
    /// The rule of a body, as the command line reads its options.
    fileprivate func rule() throws -> NewRewardRule {
        try check(
            ["event", "filter", "reward", "amount", "bucket", "first_only", "cap_per_day", "cap_per_user", "days_valid"],
            of: "a rule")
        guard let event = try strictText("event") else {
            throw Failure.invalid("event is missing: install, open, or the name of an event.")
        }
        guard let recipient: RewardRule.Recipient = try choice("reward") else {
            let all = RewardRule.Recipient.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.invalid("reward is missing, who is rewarded: \(all).")
        }
        var rule = NewRewardRule(event: event, recipient: recipient, amount: try CreditAmount(integer("amount")))
        rule.bucket = try Bucket(strictText("bucket"))
        if let filter = members["filter"], !filter.isNull {
            guard let object = filter.object else { throw Failure.invalid("filter must be an object, not \(filter.kind).") }
            rule.filter = object
        }
        rule.isFirstOnly = try strictFlag("first_only") ?? false
        rule.caps = RewardCaps(perDay: try integer("cap_per_day"), perUser: try integer("cap_per_user"))
        rule.daysValid = try integer("days_valid")
        return rule
    }
}
