import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Installs from Apple Search Ads.
@Suite struct SearchAdSessionTests {
    private static func answer(campaign: String = "884384280", tappedAt: Timestamp? = nil) -> JSON {
        var details: JSONObject = [
            "iad-attribution": "true", "iad-campaign-id": .string(campaign), "iad-campaign-name": "Pears",
            "iad-keyword": "juicy pears",
        ]
        if let tappedAt { details["iad-click-date"] = .string(tappedAt.iso8601) }
        return .string(Data(JSON.object(["Version3.1": .object(details)]).bytes).base64EncodedString())
    }

    @Test func theAppGetsTheAdAndNoLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            // A click that would match probabilistically.
            _ = try await exchange.get(try await exchange.createLink(key))
            let tapped = exchange.installation.clock.clock.now() - .seconds(90)
            let install = try await exchange.install(key, ["search_ad_encoded": Self.answer(tappedAt: tapped)])
            let data = try install.data
            #expect(
                data == [
                    "~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store", "~campaign": "Pears",
                    "~campaign_id": "884384280", "~keyword": "juicy pears", "+clicked_branch_link": false,
                    "+is_first_session": true, "+match_guaranteed": true,
                ])
            #expect(install.object["link_click_id"] == nil)

            let session = try await exchange.services.explanations.session(try #require(install.object["session_id"]?.string))
            #expect((session.link, session.click) == (nil, nil))
            let explanation = try await exchange.services.explanations.explanation(of: session)
                .view(exchange.services.publicIDs, exchange.services.baseURL)
            #expect(explanation["matcher"] == "search_ad")
            #expect(explanation["outcome"] == "matched")
            #expect(explanation["attributed"] == true)
            #expect(explanation["ad"]?.object?["~campaign"] == "Pears")
            // The stored evidence gives the same decision.
            let again = AttributionPolicy.decide(try #require(session.evidence))
            #expect(StoredDecision(again) == session.explanation)
        }
    }

    @Test func theMadeUpAdCountsForTestKeysAlone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for (key, counts) in [(app.live.key.branchKey, false), (app.test.key.branchKey, true)] {
                for fields in [
                    ["search_ad_encoded": Self.answer(campaign: "1234567890")],
                    ["search_ad_encoded": Self.answer(), "debug": true],
                ] as [JSONObject] {
                    let data = try await exchange.install(key, fields).data
                    #expect((data["~campaign"] == "Pears") == counts)
                }
            }
        }
    }

    @Test func anAdBeyondTheAppsWindowIsNone() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["click_install_window_days": 7])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let now = exchange.installation.clock.clock.now()
            for (days, counts) in [(6, true), (8, false)] as [(Int64, Bool)] {
                let tapped = now - .seconds(days * 86400)
                let data = try await exchange.install(key, ["search_ad_encoded": Self.answer(tappedAt: tapped)]).data
                #expect((data["~campaign"] == "Pears") == counts)
            }
        }
    }

    @Test func whoIsNotTrackedCameByNoAd() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data = try await exchange.install(key, ["search_ad_encoded": Self.answer(), "tracking_disabled": true]).data
            #expect(data["~campaign"] == nil)
        }
    }
}
