import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import RoutePatterns

/// A kind of caller, by its credentials for the app Orchard.
enum Caller: String, CaseIterable, Sendable {
    case stranger
    case unknownKey
    /// A replaced live key whose overlap has ended.
    case endedKey
    /// Another app's key, secret and tokens, used to request Orchard's data.
    case otherApp
    case testKey
    case testKeyWithLiveSecret
    case testKeyWithTestSecret
    case liveKey
    case wrongSecret
    case otherAppsSecret
    case testSecret
    /// A replaced live secret whose overlap has ended.
    case endedSecret
    /// A replaced live secret within its overlap.
    case formerSecret
    case liveSecret
    case wrongToken
    case otherAppsAdmin
    case ingest
    case support
    case analyst
    case editor
    case admin

    static let keys: Set<Caller> = secrets.union(wrongSecrets).union([.liveKey])
    /// The live key with a secret that is not, or no longer, its own.
    static let wrongSecrets: Set<Caller> = [.wrongSecret, .otherAppsSecret, .testSecret, .endedSecret]
    static let secrets: Set<Caller> = [.formerSecret, .liveSecret]
    /// All callers with a key and its secret, for calls that name no other resource.
    static let anySecret: Set<Caller> = secrets.union([.otherApp, .testKeyWithTestSecret])
    /// All callers with a key of any app, for calls that name no other resource.
    static let anyKey: Set<Caller> = keys.union([.otherApp, .testKey, .testKeyWithLiveSecret, .testKeyWithTestSecret])
    static let all = Set(allCases)
}

/// Two apps, the stored resources of one of them, and the credentials of each kind of caller.
struct AuthorizedApp: Sendable {
    let exchange: Exchange
    let app: CreatedApp
    let link: String
    let linkID: Link.ID
    /// A domain of the test side, so that the live links stay on the host of the base URL.
    static let domain = "test.orchard.example"
    let spareToken: AccessToken.ID
    let transaction: CreditTransaction.ID
    let rule: RewardRule.ID
    let click: String
    let session: String
    let identity: String
    /// An anonymous user.
    let user: String
    let device: String
    /// A referral code that every user may apply, any number of times.
    let code: String
    /// A shared question.
    let share: SharedQuestion.ID
    /// A user of the dashboard.
    let dashboardUser: DashboardUser.ID
    /// An admin's orders: an export, two reports, and a data subject's access request.
    let exportJob: String
    let report: String
    let crossEvents: String
    let personRequest: String
    /// The path and query of a file's signed URL.
    let file: String
    private let other: CreatedApp
    /// The live side's current key, and a former one.
    let key: String
    let endedKey: String
    /// The live side's current secret, and former ones.
    private let secret: String
    private let formerSecret: String
    private let endedSecret: String
    private let tokens: [Caller: String]

    init(_ exchange: Exchange) async throws {
        self.exchange = exchange
        app = try await exchange.installation.createApp(
            settings: Installation.settings.merging(["credits.client_redeem": "true", "credits.read_by_key": "true"]))
        other = try await exchange.installation.createApp("Grove")
        let (rotation, scope) = (exchange.services.keyRotation, app.live.key.scope)
        (endedKey, endedSecret) = (app.live.key.branchKey, app.live.secret)
        key = try await rotation.rotateKey(of: scope, overlap: RotationOverlap("1h")).key.branchKey
        formerSecret = try await rotation.rotateSecret(of: scope, overlap: RotationOverlap("1h")).secret
        exchange.installation.clock.advance(by: .seconds(7200))
        secret = try await rotation.rotateSecret(of: scope, overlap: RotationOverlap("1h")).secret
        link = try await exchange.createLink(key, ["data": ["$canonical_identifier": "crate/cox"]])
        linkID = try await exchange.services.links.find(String(link.dropFirst())).id
        try await exchange.services.linkTemplates.save(LinkTemplate(name: "newsletter"), in: app.live.key.scope)
        click = try await exchange.get(link).linkClickID ?? ""
        let install = try await exchange.install(key, ["identity": "ann", "sdk": "ios2.0.0"]).object
        session = install["session_id"]?.string ?? ""
        identity = install["identity_id"]?.string ?? ""
        device = install["device_fingerprint_id"]?.string ?? ""
        user = try await exchange.install(key).object["identity_id"]?.string ?? ""
        _ = try await exchange.post(
            "/v1/credits",
            ["branch_key": .string(key), "branch_secret": .string(secret), "identity": "ann", "amount": 1000])
        code =
            try await exchange.post(
                "/v1/referralcode",
                [
                    "branch_key": .string(key), "branch_secret": .string(secret), "identity": "ann", "amount": 5,
                    "calculation_type": 0, "location": 2,
                ]
            ).object["referral_code"]?.string ?? ""
        exchange.installation.clock.advance(by: .seconds(2))
        let service = exchange.services.tokens
        spareToken = try await service.create(name: "spare", role: .analyst, app: app.app.id).token.id
        transaction = try await exchange.services.credits.grant(
            CreditGrant(holder: .named("ann"), amount: CreditAmount(5)), RequestedCause(.operator), CreditCall(),
            in: app.live.key.scope)
        rule = try await exchange.services.rewards.add(
            NewRewardRule(event: "wished", recipient: .actor, amount: CreditAmount(5)), to: app.live.key.scope, CreditCall()
        ).id
        _ = try await exchange.services.domains.add(Self.domain, to: app.test.key.scope)
        share = try await exchange.services.sharedQuestions.create(
            "question=counts", title: "Clicks", in: app.live.key.scope
        ).shared.id
        dashboardUser = try await exchange.services.dashboardUsers.create(name: "ann", role: .support, app: nil).user.id
        let route = Route(id: "pear", syntax: .waapp, pattern: "pears/:id", target: "Pear")
        _ = try await exchange.services.routes.add([route], to: app.app.id)
        let admin = try await service.create(name: "admin", role: .admin, app: app.app.id).secret
        let appID = "\(app.app.id)"
        func order(_ path: String, _ fields: JSONObject) async throws -> JSONObject {
            try await exchange.post(
                path, .object(fields.merging(["app_id": .string(appID)])), headers: [.authorization: "Bearer " + admin]
            ).object
        }
        exportJob = try await order("/v2/logs", RouteAccess.logs)["handle"]?.string ?? ""
        report = try await order("/v2/analytics", RouteAccess.aggregate)["job_id"]?.scalarText ?? ""
        crossEvents = try await order("/v1/branch_aggregate/async/analytics", RouteAccess.crossEvents)["job_id"]?.scalarText ?? ""
        personRequest = try await order("/v1/gdpr", RouteAccess.access)["request_id"]?.string ?? ""
        let dayFile = try await exchange.services.exports.signedFile(
            of: .click, on: "2027-01-14", in: app.live.key.scope, isGzipped: false, at: exchange.installation.clock.now)
        file = "/api/v1/exports/" + dayFile.name + "?" + dayFile.query
        let appsID = app.app.id
        func token(_ role: Role) async throws -> String {
            try await service.create(name: role.rawValue, role: role, app: appsID).secret
        }
        tokens = [
            .otherApp: try await service.create(name: "other analyst", role: .analyst, app: other.app.id).secret,
            .otherAppsAdmin: try await service.create(name: "other admin", role: .admin, app: other.app.id).secret,
            .ingest: try await token(.ingest), .support: try await token(.support), .analyst: try await token(.analyst),
            .editor: try await token(.editor),
            .admin: admin,
            .wrongToken: "lt_" + String(repeating: "a", count: 40),
        ]
    }

    /// The field by which calls with a token name the app.
    var named: JSONObject { ["app_id": .string("\(app.app.id)")] }

    /// Whether an answer holds the id, the name or a key of Orchard.
    func isNamed(in answer: Exchange.Answer) -> Bool {
        ["\(app.app.id)", app.app.name, key, endedKey, app.test.key.branchKey].contains { answer.body.contains($0) }
    }

    /// Whether an answer holds the id of the other app.
    func otherIsNamed(in answer: Exchange.Answer) -> Bool { answer.body.contains("\(other.app.id)") }

    func key(of caller: Caller) -> String? {
        switch caller {
        case .stranger, .wrongToken, .otherAppsAdmin, .ingest, .support, .analyst, .editor, .admin: nil
        case .unknownKey: "key_live_" + String(repeating: "A", count: 32)
        case .endedKey: endedKey
        case .otherApp: other.live.key.branchKey
        case .testKey, .testKeyWithLiveSecret, .testKeyWithTestSecret: app.test.key.branchKey
        case .liveKey, .wrongSecret, .otherAppsSecret, .testSecret, .endedSecret, .formerSecret, .liveSecret: key
        }
    }

    func secret(of caller: Caller) -> String? {
        switch caller {
        case .wrongSecret: "secret_live_" + String(repeating: "A", count: 32)
        case .otherApp, .otherAppsSecret: other.live.secret
        case .testSecret, .testKeyWithTestSecret: app.test.secret
        case .endedSecret: endedSecret
        case .formerSecret: formerSecret
        // With the right secret an ended key is still refused.
        case .liveSecret, .testKeyWithLiveSecret, .endedKey: secret
        default: nil
        }
    }

    func headers(of caller: Caller) -> HTTPFields {
        tokens[caller].map { [.authorization: "Bearer " + $0] } ?? [:]
    }
}
