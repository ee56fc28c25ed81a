import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The live page and its stream.
@Suite struct DashboardLiveTests {
    @Test func withoutScriptsTheLatestRowsAreThereByKind() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .support)
            exchange.installation.clock.advance(by: .seconds(3))
            let page = try await browser.get(orchard.path + "/live")
            #expect(page.status == 200)
            let (click, install) = (page.body.firstRange(of: ">Click<"), page.body.firstRange(of: ">Install</a>"))
            #expect(try #require(install).lowerBound < #require(click).lowerBound, "The newest row comes first.")
            #expect(page.body.contains(#"<a href="\#(orchard.path)/sessions/\#(orchard.session)">Install</a>"#))
            #expect(page.body.contains(#"<a href="\#(orchard.linkPath)">Cox</a>"#))
            #expect(page.body.contains(#"<a class="button" href="\#(orchard.path)/live">Refresh</a>"#))

            let clicks = try await browser.get(orchard.path + "/live?show=clicks").body
            #expect(clicks.contains(">Click<") && !clicks.contains(">Install</a>"))
            #expect(clicks.contains(#"data-stream="\#(orchard.path)/live/stream?show=clicks""#))
            let phones = try await browser.get(orchard.path + "/live?show=clicks&platform=ios").body
            #expect(phones.contains(">Click<") && phones.contains(#"/live/stream?show=clicks&amp;platform=ios""#))
            let others = try await browser.get(orchard.path + "/live?platform=android").body
            #expect(!others.contains(">Click<") && others.contains("Nothing in the last 24 hours."))
            #expect(others.contains(#"href="\#(orchard.path)/live?show=events&amp;platform=android""#))
            let events = try await browser.get(orchard.path + "/live?show=events").body
            #expect(!events.contains(">Click<") && events.contains("Nothing in the last 24 hours."))
        }
    }

    @Test func atMostFiftyRowsAreShownAndNoneOfAnotherAppOrOfYesterday() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            _ = try await DashboardApp(exchange, "Meadow", text: "Hay", from: "198.51.100.1")
            exchange.installation.clock.advance(by: .seconds(2 * 86_400))
            let browser = try await DashboardBrowser(exchange, as: .editor)
            #expect(try await browser.get(orchard.path + "/live").body.contains("Nothing in the last 24 hours."))
            let path = try await exchange.createLink(orchard.app.live.key.branchKey, ["channel": "sms"])
            for number in 1...60 {
                _ = try await exchange.get(path, from: "192.0.2.\(number)")
                exchange.installation.clock.advance(by: .seconds(60))
            }
            let page = try await browser.get(orchard.path + "/live").body
            #expect(page.matches(of: />Click</).count == 50 && !page.contains("Hay") && page.contains(">sms</a>"))
        }
    }

    /// The SDK of Android sends the API level as the version of the system; browsers name the release.
    @Test(
        arguments: [
            ("34", nil, "Android 14"), ("32", nil, "Android 12"), ("34", "14", "Android 14"), ("99", nil, "Android, API level 99"),
            ("14", nil, "Android 14"), ("8.1", nil, "Android 8.1"), (nil, nil, "Android"),
        ] as [(String?, String?, String)])
    func anApiLevelOfAndroidIsShownAsItsRelease(version: String?, release: String?, shown: String) throws {
        let row = LiveRow([
            "topic": "eo_open", "user_data_os": "ANDROID", "user_data_os_version": JSON(version),
            "user_data_os_version_android": JSON(release),
        ])
        #expect(row.json.object?["system"] == .string(shown))
    }

    @Test func aStreamSaysNothingOfDevicesUsersAndAddresses() throws {
        let row = LiveRow([
            "topic": "eo_commerce_event", "name": "PURCHASE", "timestamp": 1_800_000_000_000, "id": "1",
            "user_data_idfv": "secret", "user_data_ip": "secret", "user_data_developer_identity": "secret",
            "custom_data": ["secret": "secret"], "user_data_os": "IOS", "user_data_os_version": "18.5",
            "user_data_geo_country_code": "DE", "event_data_revenue": .decimal("12.50"), "event_data_currency": "EUR",
            "last_attributed_touch_data_tilde_id": "12", "last_attributed_touch_data_tilde_channel": "mail",
            "last_attributed_touch_data_custom_fields": ["$og_title": "A crate of Cox"],
        ])
        #expect(
            row.json == [
                "time": "2027-01-15T08:00:00.000Z", "shown": "08:00:00", "what": "PURCHASE", "session": .null,
                "link": "A crate of Cox", "linkID": "12", "system": "iOS 18.5", "country": "DE", "amount": "12.50 EUR",
            ])
    }
}
