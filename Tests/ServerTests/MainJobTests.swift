import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Creates a link, clicks it and opens the app.
@Suite struct MainJobTests {
    @Test func anInstallAfterAClickIsGivenTheLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey

            let created = try await exchange.post(
                "/v1/url",
                ["branch_key": .string(key), "channel": "sms", "data": ["$deeplink_path": "apple/7", "variety": "Cox"]])
            let url = try #require(created.object["url"]?.string)
            #expect(created.status == 200)

            let click = try await exchange.get(String(url.dropFirst("https://go.example.com".count)))
            #expect(click.status == 200)
            #expect(click.body.contains("orchard://apple/7?link_click_id="))

            let install = try await exchange.post(
                "/v1/install", ["branch_key": .string(key), "os": "iOS", "os_version": "17.5.1"])
            let data = try JSON.parse(try #require(install.object["data"]?.string)).object ?? [:]
            #expect(data["+clicked_branch_link"] == true)
            #expect(data["+is_first_session"] == true)
            #expect(data["~channel"] == "sms")
            #expect(data["variety"] == "Cox")
        }
    }
}
