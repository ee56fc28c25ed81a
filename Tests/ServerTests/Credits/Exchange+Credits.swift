import Linden
import LindenTesting
import LinkRouting
import Testing

extension Exchange {
    /// A user of the app with a name and a link of his own, on a phone at an address of his own.
    func friend(named name: String, of key: String, at address: String) async throws -> (user: JSONObject, link: String) {
        let user = try await install(key, ["identity": .string(name), "sdk": "ios1.30.0"], from: address).object
        let link = try await mint(key, ["identity_id": user["identity_id"]!, "data": ["$deeplink_path": "apples/cox"]])
        return (user, link)
    }

    /// Somebody clicks a link and opens the app for the first time, as another phone elsewhere.
    func installBy(_ link: String, _ key: String, _ fields: JSONObject = [:], at address: String) async throws -> JSONObject {
        let click = try #require(try await get(link, from: address).linkClickID)
        let answer = try await install(key, fields.merging(["link_identifier": .string(click)]), from: address)
        #expect(try answer.data["+clicked_branch_link"] == true)
        return answer.object
    }

    /// A first opening of the app by a link, without a click before.
    func installByLink(_ key: String, _ fields: JSONObject = [:], from address: String = "203.0.113.7") async throws -> JSONObject {
        let url = "https://go.example.com" + (try await mint(key))
        return try await install(key, fields.merging(["universal_link_url": .string(url)]), from: address).object
    }

    func addRule(_ new: NewRewardRule, for app: CreatedApp) async throws {
        _ = try await services.rewards.add(new, to: app.live.key.scope, try CreditCall())
    }

    /// What `loadRewards` reads.
    func credits(of user: JSONObject) async throws -> JSONObject {
        try await get("/v1/credits/\(user["identity_id"]!.scalarText!)").object
    }

    func history(of user: JSONObject, _ key: String, _ fields: JSONObject = [:]) async throws -> [JSONObject] {
        let body: JSONObject = ["branch_key": .string(key), "identity_id": user["identity_id"]!]
        return try #require(try await post("/v1/credithistory", .object(body.merging(fields))).json.array).compactMap(\.object)
    }

    /// A server's call.
    func server(_ path: String, _ app: CreatedApp, _ fields: JSONObject) async throws -> Answer {
        let secret: JSONObject = ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret)]
        return try await post(path, .object(secret.merging(fields)))
    }

    /// Every check of the books, and how much is in them.
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
