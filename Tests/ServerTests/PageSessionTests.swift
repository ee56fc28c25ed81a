import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Sessions of the Web SDK.
@Suite struct PageSessionTests {
    @Test func aPagesFirstOpenIsItsBrowsersFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let number = try await exchange.number()
            let open = JSONObject(Exchange.webSDK.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(number)]))
            let first = try await exchange.post("/v1/open", .object(open))
            #expect(first.object["browser_fingerprint_id"] == .string(number))
            #expect(first.object["has_app"] == false)
            #expect(try first.data == ["+clicked_branch_link": false, "+is_first_session": true])

            let second = try await exchange.post("/v1/open", .object(open.merging(["identity_id": first.object["identity_id"]!])))
            #expect(second.object["browser_fingerprint_id"] == .string(number))
            #expect(second.object["identity_id"] == first.object["identity_id"])
            #expect(try second.data["+is_first_session"] == false)
        }
    }

    @Test func aPageWithoutANumberIsGivenOne() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let open = try await exchange.post("/v1/open", .object(Exchange.webSDK.merging(["branch_key": .string(key)])))
            #expect(open.object["browser_fingerprint_id"]?.string?.wholeMatch(of: /[0-9]{18}/) != nil)
        }
    }

    @Test func aPageThatReportsAClickGetsItsLinksDataAndKeepsItsNumber() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let number = try await exchange.number()
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            let location = try #require(try await exchange.get(path, userAgent: UserAgents.desktop).location)
            let click = String(try #require(location.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1))
            let answer = try await exchange.post(
                "/v1/open",
                .object(
                    Exchange.webSDK.merging([
                        "branch_key": .string(key), "browser_fingerprint_id": .string(String(click)),
                        "link_identifier": .string(String(click)), "alternative_browser_fingerprint_id": .string(number),
                    ])))
            #expect(answer.object["browser_fingerprint_id"] == .string(number))
            #expect(answer.object["session_link_click_id"] == .string(String(click)))
            #expect(answer.object["referring_link"] == .string("https://go.example.com" + path))
            #expect(try answer.data["variety"] == "Cox")
        }
    }

    @Test func aPageIsNoInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            let location = try #require(try await exchange.get(path, userAgent: UserAgents.desktop).location)
            let click = String(try #require(location.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1))
            _ = try await exchange.post(
                "/v1/open",
                .object(Exchange.webSDK.merging(["branch_key": .string(key), "link_identifier": .string(String(click))])))
            let link = try await exchange.services.links.find("pears")
            #expect(
                try await exchange.services.statistics.statistics(of: link.id, in: link.scope)
                    == LinkStatistics(clicks: 1, sessions: 1, installs: 0))
        }
    }
}
