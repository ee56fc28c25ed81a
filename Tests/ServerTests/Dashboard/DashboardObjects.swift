import Dashboard
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What an app has beside links and sessions: a user with credits, rules, held rewards, a domain, a token, a shared question,
/// a template of links, an export and a privacy request.
struct DashboardObjects {
    /// The developer's id of a user with 50 credits.
    let identity: String
    let grant: CreditTransaction.ID
    let rule: RewardRule.ID
    /// Two held rewards of the rule.
    let held: [HeldReward.ID]
    let domain: String
    let token: AccessToken.ID
    let share: SharedQuestion.ID
    /// The name of a template of links.
    let template: String
    /// A complete export.
    let export: String
    /// A request for a copy of the user's data.
    let request: String
    /// A former key, which is accepted for good.
    let key: String
    /// The identifier of a piece of content.
    let content: String

    /// - Parameter text: a text in every value that the dashboard shows.
    init(_ exchange: Exchange, _ app: CreatedApp, text: String = "Cox", from address: String = "192.0.2.9") async throws {
        let (services, scope) = (exchange.services, app.live.key.scope)
        _ = try await services.apps.update(
            scope, settings: ["fraud.rewards_per_address": "1", "unknown_setting": .string(text)])
        identity = "user " + text
        let account = AccountReference.reference(identity, id: nil)
        grant = try await services.credits.grant(
            CreditGrant(holder: account, amount: try CreditAmount(50), bucket: try Bucket(text)), RequestedCause(.operator),
            try CreditCall(), in: scope)
        rule = try await services.rewards.add(
            try NewRewardRule("install", .actor, 10), to: scope, try CreditCall()
        ).id
        var filtered = try NewRewardRule(text, .actor, 10)
        filtered.filter = ["variety": .string(text)]
        _ = try await services.rewards.add(filtered, to: scope, try CreditCall())
        content = "crate " + text
        _ = try await exchange.createLink(
            app.live.key.branchKey, ["data": ["$canonical_identifier": .string(content), "$og_title": .string(text)]])
        for _ in 1...3 { _ = try await exchange.installByLink(app.live.key.branchKey, from: address) }
        held = try await services.heldRewards.list(scope, limit: 9).map(\.held.id)
        try #require(held.count == 2)
        domain = "links-\(app.app.id).example.com"
        _ = try await services.domains.add(domain, to: scope)
        token = try await services.tokens.create(name: "token " + text, role: .analyst, app: app.app.id).token.id
        share = try await services.sharedQuestions.create("question=counts", title: "share " + text, in: scope).shared.id
        template = "template " + text
        try await services.linkTemplates.save(
            LinkTemplate(
                name: template,
                labels: Labels(channel: text, feature: text, campaign: text, stage: text, tags: [text]),
                data: ["$og_title": .string(text), text: .string(text)]),
            in: scope)
        let now = exchange.installation.clock.now
        let range = try ExportRange(from: now - .seconds(86400), to: now)
        export = try await services.exports.order(ExportRequest(scope: scope, topic: .click, range: range)).handle
        try await services.exports.runJobs()
        let known = try await services.people.identity(identity, in: scope)
        request = try await services.subjectRequests.ask(
            .access, about: [DataSubject(kind: .user, value: services.publicIDs.string(for: known.id))], in: scope
        ).handle
        key = try await services.keyRotation.rotateKey(of: scope, overlap: .forever).former.branchKey
    }

    /// Returns a path of a route with these objects, and with the query that its page needs.
    func path(of pattern: String) -> String {
        // Released once; the other stays held.
        let reward = pattern.hasSuffix("/release") ? held[1] : held[0]
        let path = pattern.replacing("{rule}", with: "\(rule)").replacing("{held}", with: "\(reward)")
            .replacing("{domain}", with: domain).replacing("{token}", with: "\(token)").replacing("{job}", with: export)
            .replacing("{request}", with: request).replacing("{key}", with: key).replacing("{share}", with: "\(share)")
        let user = "?identity=" + DashboardBrowser.encoded(identity)
        switch path.split(separator: "/").dropFirst(3).joined(separator: "/") {
        case "credits", "identities", "identities/erase": return path + user
        case "credits/reversals": return path + user + "&transaction=\(grant)"
        case "content/object": return path + "?identifier=" + DashboardBrowser.encoded(content)
        case "links/templates/delete": return path + "?template=" + DashboardBrowser.encoded(template)
        // A stream that ends at once.
        case "live/stream": return path + "?limit=0"
        default: return path
        }
    }
}
