import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import LinkRouting
import Testing

extension Exchange {
    /// Installs the app for a named user at an address of its own, and creates a link of the user.
    func friend(named name: String, of key: String, at address: String) async throws -> (user: JSONObject, link: String) {
        let user = try await install(key, ["identity": .string(name), "sdk": "ios1.30.0"], from: address).object
        let link = try await createLink(key, ["identity_id": user["identity_id"]!, "data": ["$deeplink_path": "apples/cox"]])
        return (user, link)
    }

    /// Clicks a link and installs the app, as another phone at another address.
    func installBy(_ link: String, _ key: String, _ fields: JSONObject = [:], at address: String) async throws -> JSONObject {
        let click = try #require(try await get(link, from: address).linkClickID)
        let answer = try await install(key, fields.merging(["link_identifier": .string(click)]), from: address)
        #expect(try answer.data["+clicked_branch_link"] == true)
        return answer.object
    }

    /// Installs the app by a link's URL, without a click before.
    func installByLink(_ key: String, _ fields: JSONObject = [:], from address: String = "203.0.113.7") async throws -> JSONObject {
        let url = "https://go.example.com" + (try await createLink(key))
        return try await install(key, fields.merging(["universal_link_url": .string(url)]), from: address).object
    }

    func addRule(_ new: NewRewardRule, for app: CreatedApp) async throws {
        _ = try await services.rewards.add(new, to: app.live.key.scope, try CreditCall())
    }

    /// The balances that `loadRewards` reads.
    func credits(of user: JSONObject) async throws -> JSONObject {
        try await get("/v1/credits/\(user["identity_id"]!.scalarText!)").object
    }

    /// The credits of a named user in all buckets.
    func balance(of name: String) async throws -> Int64 {
        try await rows(
            """
            SELECT CAST(COALESCE(SUM(balance), 0) AS BIGINT) FROM credit_accounts JOIN identities ON identities.id = identity_id
            WHERE developer_identity = '\(name)'
            """)
    }

    func history(of user: JSONObject, _ key: String, _ fields: JSONObject = [:]) async throws -> [JSONObject] {
        let body: JSONObject = ["branch_key": .string(key), "identity_id": user["identity_id"]!]
        return try #require(try await post("/v1/credithistory", .object(body.merging(fields))).json.array).compactMap(\.object)
    }

    /// A call from the app's server, with the secret.
    func server(_ path: String, _ app: CreatedApp, _ fields: JSONObject) async throws -> Answer {
        let secret: JSONObject = ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret)]
        return try await post(path, .object(secret.merging(fields)))
    }

    /// A session that the app's server reports, naming only the user.
    func serverOpen(_ app: CreatedApp, by name: String) async throws -> Answer {
        try await server(
            "/v1/open", app,
            [
                "server_to_server": true, "os": "iOS", "os_version": "NA", "app_version": "1", "model": "NA",
                "ad_tracking_enabled": false, "is_hardware_id_real": false, "identity": .string(name),
            ])
    }

    /// Runs every audit of the ledger.
    func expectBooksAreRight() async throws {
        for check in services.verification.checks() {
            #expect(try await services.verification.result(of: check).problems == [], "\(check.name)")
        }
    }
}

extension NewRewardRule {
    init(_ event: String, _ recipient: RewardRule.Recipient, _ amount: Int64, change: (inout NewRewardRule) -> Void = { _ in })
        throws
    {
        self.init(event: event, recipient: recipient, amount: try CreditAmount(amount))
        change(&self)
    }
}
