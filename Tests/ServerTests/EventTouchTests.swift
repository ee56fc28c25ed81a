import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The touches to which events are attributed.
@Suite struct EventTouchTests {
    /// The click and link of the newest event.
    private static func touch(_ exchange: Exchange) async throws -> (click: Click.ID, link: Link.ID)? {
        try await exchange.installation.storage.write { transaction in
            let row = try (transaction as! SQLTransaction).connection.first(
                "SELECT touch_click_id, touch_link_id FROM events ORDER BY id DESC LIMIT 1"
            ) { row -> (Int64, Int64)? in row.isNull(0) ? nil : (row.integer(0), row.integer(1)) }
            return row.flatMap { $0 }.map { (Click.ID(rawValue: $0.0), Link.ID(rawValue: $0.1)) }
        }
    }

    private static func purchase(_ exchange: Exchange, _ key: String, _ user: JSONObject) async throws {
        let answer = try await exchange.post(
            "/v2/event/standard", ["branch_key": .string(key), "name": "PURCHASE", "user_data": .object(user)])
        #expect(answer.status == 200)
    }

    /// Installs an app by a link's click. Returns the event fields that identify the user, and the click.
    private static func install(
        _ exchange: Exchange, _ key: String, _ data: JSONObject = [:], appended: String = ""
    ) async throws -> (user: JSONObject, click: Click.ID) {
        let path = try await exchange.createLink(key, ["data": .object(data)]) + appended
        let click = try #require(try await exchange.get(path).linkClickID)
        let install = try await exchange.install(key, ["link_identifier": .string(click)])
        let id: Click.ID = try #require(exchange.services.publicIDs.id(for: click))
        return (["randomized_device_token": install.object["randomized_device_token"]!], id)
    }

    @Test func anEventIsCreditedToTheClickThatLedHereLast() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let (user, click) = try await Self.install(exchange, key)
            try await Self.purchase(exchange, key, user)
            let touch = try #require(try await Self.touch(exchange))
            #expect(touch.click == click)
            #expect(touch.link == (try await exchange.installation.storage.read { try $0.click(click)?.link }))
        }
    }

    /// Makes the data of all links unreadable, so that a call that parses it fails.
    private static func spoilLinkData(_ exchange: Exchange) async throws {
        try await exchange.installation.storage.write {
            try ($0 as! SQLTransaction).connection.execute("UPDATE links SET data = 'unreadable'")
        }
    }

    /// A link's data may be large, so an event does not parse it, not even for the link's own conversion window.
    @Test func anEventIsAttributedWithoutReadingTheLinksData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let (user, click) = try await Self.install(exchange, key, ["$click_conversion_window_days": 3])
            try await Self.spoilLinkData(exchange)
            try await Self.purchase(exchange, key, user)
            #expect(try await Self.touch(exchange)?.click == click)
            exchange.installation.clock.advance(by: .seconds(4 * 86400))
            try await Self.purchase(exchange, key, user)
            #expect(try await Self.touch(exchange) == nil)
        }
    }

    /// An address may have clicks on many large links, so an install does not parse the links that it is not given.
    @Test func anInstallComparesClicksWithoutReadingTheirLinksData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            exchange.installation.clock.advance(by: .seconds(3 * 3600))
            try await Self.spoilLinkData(exchange)
            let install = try await exchange.install(key)
            #expect(install.status == 200, "\(install.body)")
        }
    }

    @Test func anEventOfAUserWithoutALinkIsAttributedToNone() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key)
            try await Self.purchase(exchange, key, ["randomized_device_token": install.object["randomized_device_token"]!])
            #expect(try await Self.touch(exchange) == nil)
            try await Self.purchase(exchange, key, ["developer_identity": "ann"])
            #expect(try await Self.touch(exchange) == nil)
        }
    }

    private static let windows: [(link: JSONObject, appended: String, app: JSON?, days: Int64)] = [
        ([:], "", nil, 90), ([:], "", 7, 7), (["$click_conversion_window_days": 3], "", 7, 3),
        (["$click_conversion_window_days": 3], "?%24click_conversion_window_days=5", 7, 5),
        (["$click_conversion_window_days": "never"], "", nil, 90),
    ]

    @Test(arguments: windows)
    func theWindowIsTheLinksElseTheAppsElseNinetyDays(
        link: JSONObject, appended: String, app: JSON?, days: Int64
    ) async throws {
        try await Exchange.run { exchange in
            var settings = Installation.settings
            settings["click_conversion_window_days"] = app
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let (user, _) = try await Self.install(exchange, key, link, appended: appended)
            exchange.installation.clock.advance(by: .seconds(days * 86400 - 60))
            try await Self.purchase(exchange, key, user)
            #expect(try await Self.touch(exchange) != nil)
            exchange.installation.clock.advance(by: .seconds(61))
            try await Self.purchase(exchange, key, user)
            #expect(try await Self.touch(exchange) == nil)
        }
    }

    @Test func anotherWindowChangesNoEventThatCameBefore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let (user, click) = try await Self.install(exchange, key)
            exchange.installation.clock.advance(by: .seconds(2 * 86400))
            try await Self.purchase(exchange, key, user)
            let change: JSON = ["branch_secret": .string(app.live.secret), "click_conversion_window_days": 1]
            #expect(try await exchange.put("/v1/app/\(key)", change).status == 200)
            #expect(try await Self.touch(exchange)?.click == click)
            try await Self.purchase(exchange, key, user)
            #expect(try await Self.touch(exchange) == nil)
        }
    }

    @Test func theLastTouchThatSDKsAskForEndsWithTheLinksWindowToo() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let (user, _) = try await Self.install(exchange, key, ["$click_conversion_window_days": 2])
            let question: JSON = ["branch_key": .string(key), "attribution_window": 30, "user_data": .object(user)]
            exchange.installation.clock.advance(by: .seconds(86400))
            let soon = try await exchange.post("/v1/cpid/latd", question)
            #expect(soon.object["last_attributed_touch_data"]?.object?.isEmpty == false)
            exchange.installation.clock.advance(by: .seconds(86401))
            let late = try await exchange.post("/v1/cpid/latd", question)
            #expect(late.body == #"{"last_attributed_touch_data":{},"attribution_window":30}"#)
        }
    }
}
