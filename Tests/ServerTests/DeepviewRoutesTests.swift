import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Deepviews of the Web SDK: a page's button that leads to the app.
@Suite struct DeepviewRoutesTests {
    @Test func aDeepviewIsAFunctionThatLeadsToTheAppWithThePagesData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let call: JSON = [
                "branch_key": .string(key), "channel": "web", "data": #"{"variety":"Cox","t":"</script>"}"#, "open_app": true,
                "banner_options": .object([:]), "sdk": "web2.84.0",
            ]
            let answer = try await exchange.get("/v1/deepview?callback=f&data=\(call.base64)")
            #expect(answer.status == 200)
            #expect(!answer.body.contains("</script>"))
            let url = try #require(answer.body.firstMatch(of: /f\(function\(\)\{window\.location\.assign\("(.*)"\);\}\);/)?.1)
            let page = try await exchange.get(String(url).replacing("https://go.example.com", with: "").replacing("\\/", with: "/"))
            let click = try #require(page.linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9").data
            #expect(data["variety"] == "Cox")
            #expect(data["~channel"] == "web")
        }
    }

    @Test(arguments: [false, true])
    func theButtonOfAPageThatALinkLedToContinuesThatLink(appendsPath: Bool) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let link = try await exchange.createLink(
                key, ["channel": "mail", "data": ["variety": "Cox", "$deeplink_path": "apples/cox"]])
            let location = try #require(try await exchange.get(link, userAgent: UserAgents.desktop).location)
            let click = String(try #require(location.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1))
            let answer = try await exchange.post(
                "/v1/deepview",
                [
                    "branch_key": .string(key), "channel": "web", "link_click_id": .string(click + "?a=b"),
                    "append_deeplink_path": .bool(appendsPath), "data": #"{"$deeplink_path":"pears/conference"}"#,
                ])

            let url = String(try #require(answer.body.firstMatch(of: /assign\("(.*)"\)/)?.1)).replacing("\\/", with: "/")
            let page = try await exchange.get(url.replacing("https://go.example.com", with: ""))
            let second = try #require(page.linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(second)], from: "192.0.2.9").data
            #expect(data["~channel"] == "mail")
            #expect(data["variety"] == "Cox")
            #expect(data["$deeplink_path"] == (appendsPath ? "pears/conference" : "apples/cox"))
        }
    }

    @Test(arguments: ["$web_only", "$mobile_web_only"])
    func theButtonOfAPageDoesNotContinueALinkThatOnlyLeadsToTheWeb(key flag: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let slug = try await exchange.createLink(key, ["data": .object([flag: true])]).split(separator: "/").last
            let answer = try await exchange.post(
                "/v1/deepview", ["branch_key": .string(key), "channel": "web", "link_click_id": .string(String(slug ?? ""))])
            #expect(answer.body.replacing("\\/", with: "/").contains("/a/\(key)?channel=web"))
        }
    }

    @Test(arguments: ["", "123", "another app's link", "none%"])
    func aPageCannotContinueALinkThatIsNotItsApps(name: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let other = try await exchange.installation.createApp().live.key.branchKey
            let slug = try await exchange.createLink(other).split(separator: "/").last.map(String.init)
            let answer = try await exchange.post(
                "/v1/deepview",
                [
                    "branch_key": .string(key), "channel": "web",
                    "link_click_id": .string(name == "another app's link" ? slug ?? "" : name),
                ])
            #expect(answer.status == 200)
            #expect(answer.body.replacing("\\/", with: "/").contains("/a/\(key)?channel=web"))
        }
    }

    @Test func aDeepviewMayHaveTheLabelsAndDataThatALinkMay() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            func answer(_ fields: JSONObject) async throws -> Exchange.Answer {
                try await exchange.post("/v1/deepview", .object(fields.merging(["branch_key": .string(key)])))
            }
            let tags = (1...64).map { "tag\($0)" }
            let allowed = try await answer(["tags": JSON(tags)])
            #expect(allowed.status == 200)
            #expect(tags.allSatisfy { allowed.body.contains("tags=\($0)") })
            let tooMany = try await answer(["tags": JSON(Array(repeating: "a", count: 40_000))])
            #expect(tooMany.status == 413)
            #expect(tooMany.errorMessage?.contains("at most 64 values, not 40000") == true)
            #expect(try await answer(["data": ["a": .string(String(repeating: "x", count: 70_000))]]).status == 413)
            #expect(try await answer(["channel": .string(String(repeating: "x", count: 1000))]).status == 400)
        }
    }
}

extension JSON {
    /// Base64 as a page's script sends it.
    fileprivate var base64: String { PercentCoding.encodeQueryValue(Data(bytes).base64EncodedString()) }
}
