import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Details of the iOS SDK about links and setting it up, which a server easily gets wrong.
@Suite struct IOSLinkTrapTests {
    /// A server cannot change this: the SDK itself checks the keys.
    @Test func theGuideSaysWhichSDKsPinBranchsKeysAndWhatStillGoesToBranch() throws {
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Documentation/sdk-setup.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        for fact in ["0.25.10", "pins", "setCDNBaseUrl", "validateSDKIntegration", "branch_universal_link_domains"] {
            #expect(text.contains(fact), "\(fact)")
        }
    }

    @Test func aLinkIsAnsweredWithExactly200() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            #expect(try await exchange.post("/v1/url", ["branch_key": .string(key)]).status == 200)
        }
    }

    @Test func aForeignURLIsNoClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data = try await exchange.install(key, ["universal_link_url": "https://elsewhere.example/oauth?x=1"]).data
            #expect(data["+clicked_branch_link"] == false)
            #expect(data["+non_branch_link"] == "https://elsewhere.example/oauth?x=1")
        }
    }

    @Test func offlineLinksOfEveryFormLeadIntoTheApp() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            // {"a":"~~??>>"} has + and / in its base64, and padding at its end.
            for query in [
                "?channel=sms&source=ios&data=eyJhIjoifn4/Pz4+In0=",
                "?%24identity_id=1?channel=sms&type=0&duration=0&source=ios&data=eyJhIjoifn4%2FPz4%2BIn0%3D",
                "?channel=sms&matchDuration=60&source=ios&data=eyJhIjoifn4/Pz4+In0=",
            ] {
                let click = try #require(try await exchange.get("/a/\(key)\(query)").linkClickID)
                let data = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9").data
                #expect(data["a"] == "~~??>>")
                #expect(data["~channel"] == "sms")
            }
        }
    }

    @Test func aLinkNeedsNoSessionAndNoTokens() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), "source": "ios", "data": ["a": 1]])
            #expect(answer.status == 200)
        }
    }

    @Test func clickedIsABooleanInEveryAnswerAndOnlyAnInstallIsAFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key)
            let open = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": install.object["device_fingerprint_id"]!])
            #expect(try install.data["+clicked_branch_link"] == false)
            #expect(try install.data["+is_first_session"] == true)
            #expect(try open.data["+clicked_branch_link"] == false)
            #expect(try open.data["+is_first_session"] == false)
        }
    }

    @Test func theValidatorOfOldSDKsIsAnsweredWithSchemesThatEndAsItComparesThem() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            #expect(try await exchange.get("/v1/app-link-settings/\(key)").object["ios_uri_scheme"] == "orchard://")
        }
    }
}
