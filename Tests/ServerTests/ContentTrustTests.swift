import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Pages and sitemaps use only the app's own data of content, never that of a client with only the app's public key.
@Suite struct ContentTrustTests {
    private static let own: JSONObject = ["$canonical_identifier": "pear/1", "$og_title": "Pears", "$keywords": "pear, june"]
    private static let others: JSONObject = [
        "$canonical_identifier": "pear/1", "$og_title": "Mud", "$og_description": "Sold out", "$publicly_indexable": false,
    ]

    @Test(arguments: ["v1/url", "v2/event/standard", "v1/register-view"])
    func aStrangerCannotChangeWhatTheAppSaidOfItsContent(call: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.describe(Self.own, app, with: app.live.secret)
            try await exchange.describe(Self.others, app, by: call)
            #expect(try await exchange.known(of: "pear/1", app) == Self.own)
            let page = try await exchange.previewOfLink(about: "pear/1", app)
            #expect(page.contains("Pears") && page.contains("pear, june"))
            #expect(!page.contains("Mud") && !page.contains("Sold out") && !page.contains("noindex"))
        }
    }

    @Test func whatStrangersSaidFirstIsReplaced() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.describe(Self.others, app)
            #expect(try await exchange.known(of: "pear/1", app) == Self.others)
            let page = try await exchange.previewOfLink(about: "pear/1", app)
            #expect(!page.contains("Mud") && !page.contains("noindex"))
            try await exchange.describe(Self.own, app, with: app.live.secret)
            #expect(try await exchange.known(of: "pear/1", app) == Self.own)
        }
    }

    /// The app reports an order, then its server the same one with the secret.
    @Test func theContentOfAServersReportOfAnOrderIsMergedAndCountsOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["events.unique_transactions": true]))
            func report(_ items: [JSON], with secret: String?) async throws {
                var body: JSONObject = [
                    "branch_key": .string(app.live.key.branchKey), "name": "PURCHASE",
                    "user_data": ["developer_identity": "ann"],
                    "event_data": ["transaction_id": "order-1", "revenue": "12.5", "currency": "USD"],
                    "content_items": .array(items),
                ]
                body["branch_secret"] = secret.map(JSON.string)
                #expect(try await exchange.post("/v2/event/standard", .object(body)).status == 200)
            }
            try await report([.object(Self.others)], with: nil)
            for _ in 0..<2 {
                try await report([.object(Self.own), ["$canonical_identifier": "apple/1"]], with: app.live.secret)
            }
            #expect(try await exchange.known(of: "pear/1", app) == Self.own)
            for identifier in ["pear/1", "apple/1"] {
                let content = try await exchange.services.objects.show(identifier, in: app.live.key.scope)
                #expect(content.statistics.purchases == 1, "\(identifier)")
            }
        }
    }

    @Test func aWrongSecretIsNone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.describe(Self.own, app, with: app.live.secret)
            try await exchange.describe(Self.others, app, by: "v2/event/standard", with: "wrong")
            #expect(try await exchange.known(of: "pear/1", app) == Self.own)
        }
    }

    @Test func aServersEventsDescribeContentKeyByKey() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.describe(Self.own, app, with: app.live.secret)
            let price: JSONObject = ["$canonical_identifier": "pear/1", "$price": 3]
            try await exchange.describe(price, app, by: "v2/event/standard", with: app.live.secret)
            #expect(try await exchange.known(of: "pear/1", app) == Self.own.merging(price))
        }
    }

    /// The app's own changes are trusted; the other data that a stranger put into the link are not.
    @Test func ofAStrangersLinkThatTheAppChangesOnlyTheChangesAreTheApps() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let link = try await exchange.services.links.create(
                NewLink(data: Self.others), for: exchange.services.apps.context(app.live.key.branchKey))
            _ = try await exchange.services.links.update(link.id, with: LinkChanges(channel: .set("mail")))
            #expect(!(try await exchange.previewOfLink(about: "pear/1", app)).contains("Mud"))
            _ = try await exchange.services.links.update(link.id, with: LinkChanges(data: ["$og_title": "Pears"]))
            #expect(
                try await exchange.known(of: "pear/1", app) == ["$canonical_identifier": "pear/1", "$og_title": "Pears"])
        }
    }
}

extension Exchange {
    fileprivate func describe(
        _ content: JSONObject, _ app: CreatedApp, by call: String = "v1/url", with secret: String? = nil
    ) async throws {
        var body: JSONObject = ["branch_key": .string(app.live.key.branchKey)]
        if let secret { body["branch_secret"] = .string(secret) }
        if call.hasPrefix("v2") {
            body["name"] = "VIEW_ITEM"
            body["content_items"] = .array([.object(content)])
        } else {
            body["data"] = .object(content)
        }
        try #require(try await post("/" + call, .object(body)).status == 200)
    }

    fileprivate func known(of identifier: String, _ app: CreatedApp) async throws -> JSONObject {
        try await services.objects.show(identifier, in: app.live.key.scope).object.data
    }

    /// The page that search engines get for a link that only names its content.
    fileprivate func previewOfLink(about identifier: String, _ app: CreatedApp) async throws -> String {
        let path = try await createLink(app.live.key.branchKey, ["data": ["$canonical_identifier": .string(identifier)]])
        return try await get(path, userAgent: UserAgents.googlebot).body
    }
}
