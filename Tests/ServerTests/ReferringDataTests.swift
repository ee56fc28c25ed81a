import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The parameters of a session besides the link's own data.
@Suite struct ReferringDataTests {
    @Test func aSessionHasTheLinksDataItsLabelsAndWhatTheClickAdds() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let stored: JSONObject = ["variety": "Cox", "$deeplink_path": "apples/cox", "~customer_campaign": "C-7", "price": 3]
            let path = try await exchange.createLink(
                key,
                [
                    "alias": "pears", "channel": "mail", "feature": "share", "campaign": "autumn", "stage": "new",
                    "tags": ["a", "b"],
                    "source": "ios", "duration": 600, "data": .object(stored),
                ])
            let page = try await exchange.get(path, headers: [.referer: "https://shop.example/list"])
            let clickedAt = exchange.installation.clock.clock.now()
            let click = try #require(page.linkClickID)
            exchange.installation.clock.advance(by: .seconds(60))
            let data = try await exchange.install(key, ["link_identifier": .string(click)]).data
            let link = try await exchange.services.links.find("pears")
            let expected = stored.merging([
                "~channel": "mail", "~feature": "share", "~campaign": "autumn", "~stage": "new", "~tags": ["a", "b"],
                "~alias": "pears", "~duration": 600, "~id": .string(String(link.id.rawValue)), "~creation_source": 3,
                "~referring_link": "https://go.example.com/pears", "+url": "https://go.example.com/pears",
                "+click_timestamp": .integer(clickedAt.seconds), "+referrer": "https://shop.example/list",
                "+match_guaranteed": true, "+clicked_branch_link": true, "+is_first_session": true, "$one_time_use": false,
            ])
            #expect(Set(data.keys) == Set(expected.keys))
            for (name, value) in expected { #expect(data[name] == value, "\(name)") }
        }
    }

    @Test(arguments: [("api", 0), ("ios", 3), ("android", 4), ("web-sdk", 5)])
    func theCreationSourceIsANumber(source: String, number: Int64) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            var fields: JSONObject = [:]
            if source != "api" { fields["source"] = .string(source) }
            let click = try #require(try await exchange.get(try await exchange.createLink(key, fields)).linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(click)]).data
            #expect(data["~creation_source"] == .integer(number))
        }
    }

    @Test func anAppThatALinkOpenedGetsTheReportedReferrer() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let url = "https://go.example.com" + (try await exchange.createLink(key))
            let data = try await exchange.install(
                key, ["universal_link_url": .string(url), "initial_referrer": "https://shop.example/list"]
            ).data
            #expect(data["+referrer"] == "https://shop.example/list")
            let unsaid = try await exchange.install(key, ["universal_link_url": .string(url)]).data
            #expect(unsaid["+referrer"] == nil)
        }
    }

    @Test func aForeignURLIsHandedOnAndBothSwitchesAreThere() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data = try await exchange.install(key, ["universal_link_url": "https://elsewhere.example/x"]).data
            #expect(
                data == [
                    "+clicked_branch_link": false, "+is_first_session": true, "+non_branch_link": "https://elsewhere.example/x",
                ])
        }
    }
}
