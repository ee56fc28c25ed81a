import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Details of the Web SDK that a server easily gets wrong.
@Suite struct WebTrapTests {

    @Test func idsAreTextsOf18Digits() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.form("/v1/open", "sdk=web2.84.0&options=%7B%7D&branch_key=\(key)")
            for name in ["session_id", "identity_id", "browser_fingerprint_id"] {
                #expect(answer.object[name]?.string?.wholeMatch(of: /[0-9]{18}/) != nil, "\(name)")
            }
        }
    }

    @Test func anotherOriginReadsAnswersAndErrorsAlike() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (path, body) in [
                ("/v1/open", "sdk=web2.84.0&branch_key=\(key)"), ("/v1/open", "sdk=web2.84.0"),
                ("/v1/url", "branch_key=\(key)&type=x"),
                ("/v1/nothing", ""),
            ] {
                let answer = try await exchange.form(path, body)
                #expect(answer.headers[.accessControlAllowOrigin] == "https://page.example", "\(path)")
                #expect(answer.headers[.vary]?.contains("Origin") == true)
            }
        }
    }

    @Test func emptyPairsAreNormal() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for body in ["event=pageview&&metadata=%7B%7D&&branch_key=\(key)&", "&branch_key=\(key)", "branch_key=\(key)&&&"] {
                let answer = try await exchange.form("/v1/pageview", body)
                #expect(answer.status == 200)
                #expect(answer.body == "{}")
            }
        }
    }

    @Test func aSecondPageviewWithoutMetadataIsFine() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            #expect(try await exchange.form("/v1/pageview", "journey_displayed=true&branch_key=\(key)").body == "{}")
        }
    }

    /// The SDK continues to send the `identity_id` of the first visit, and no name.
    @Test(arguments: [true, false])
    func afterALogoutABrowserIsTheSameAnonymousUserOnEveryVisit(isUserNew: Bool) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            if !isUserNew { _ = try await exchange.install(key, ["identity": "ann"]) }
            let first = try await exchange.form("/v1/open", "sdk=web2.84.0&branch_key=\(key)").object
            let (user, browser) = (first["identity_id"]!.string!, first["browser_fingerprint_id"]!.string!)
            let visit =
                "sdk=web2.84.0&branch_key=\(key)&identity_id=\(user)&browser_fingerprint_id=\(browser)"
                + "&alternative_browser_fingerprint_id=\(browser)"
            for _ in 1...2 {
                let ann = try await exchange.form("/v1/open", visit + "&identity=ann").object
                #expect(ann["identity"] == "ann")
                let path = try await exchange.createLink(key)
                let location = try #require(try await exchange.get(path, userAgent: UserAgents.desktop).location)
                let click = try #require(location.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1)
                var after: Set<String> = []
                for fields in ["", "&link_identifier=\(click)", ""] {
                    let visit =
                        fields.isEmpty
                        ? visit : visit.replacing("&browser_fingerprint_id=\(browser)", with: "&browser_fingerprint_id=\(click)")
                    let answer = try await exchange.form("/v1/open", visit + fields).object
                    #expect(answer["identity"] == nil)
                    #expect(answer["identity_id"] != ann["identity_id"])
                    #expect(answer["browser_fingerprint_id"]?.string == browser)
                    after.insert(answer["identity_id"]?.string ?? "")
                }
                #expect(after.count == 1)
            }
        }
    }

    @Test func anUnknownClickIsAGoodOpen() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for id in ["123456789012345678", "abc", "%3Cscript%3E"] {
                let answer = try await exchange.form(
                    "/v1/open", "sdk=web2.84.0&browser_fingerprint_id=\(id)&link_identifier=\(id)&branch_key=\(key)")
                #expect(answer.status == 200)
                #expect(try answer.data["+clicked_branch_link"] == false)
                #expect(answer.object["browser_fingerprint_id"]?.string != nil)
            }
        }
    }

    @Test func aBaseURLWithASlashAtItsEndStillWorks() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            #expect(try await exchange.form("//v1/open", "sdk=web2.84.0&branch_key=\(key)").status == 200)
        }
    }

    @Test func everyCallMayComeAsAScript() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let calls: [(path: String, fields: JSONObject)] = [
                ("/v1/open", ["sdk": "web2.84.0", "options": .object([:]), "branch_dma_data": nil]),
                ("/v1/pageview", ["metadata": .object([:])]),
                ("/v1/url", ["tags": ["a", "b"], "data": "{}"]), ("/v2/event/custom", ["name": "x", "user_data": .object([:])]),
                ("/v1/cpid", [:]),
            ]
            for (path, fields) in calls {
                let data = Data(JSON.object(fields.merging(["branch_key": .string(key)])).bytes).base64EncodedString()
                for name in ["data", "post_data"] {
                    let answer = try await exchange.get(
                        "\(path)?&\(name)=\(PercentCoding.encodeQueryValue(data))&callback=branch_callback__3")
                    #expect(answer.status == 200)
                    #expect(answer.body.contains("branch_callback__3({"), "\(path) \(answer.body)")
                    #expect(answer.headers[.contentType]?.hasPrefix("text/javascript") == true)
                }
            }
        }
    }

    @Test func nullsInLinkDataAreAbsentForReaders() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data =
                #"{"$og_title":null,"$desktop_url":null,"$fallback_url":null,"$canonical_url":"https://orchard.example.com/p"}"#
            let answer = try await exchange.form(
                "/v1/url",
                "data=\(PercentCoding.encodeQueryValue(data))&tags=one&tags=two&type=0&alias=&source=web-sdk&branch_key=\(key)")
            let click = try await exchange.get(try exchange.path(of: answer), userAgent: UserAgents.desktop)
            #expect(click.location?.hasPrefix("https://orchard.example.com") == true)
        }
    }

    @Test func aTakenAliasIs409() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "taken", "data": ["a": 1]])
            #expect(try await exchange.form("/v1/url", "alias=taken&data=%7B%22a%22%3A2%7D&branch_key=\(key)").status == 409)
        }
    }

    @Test func withTrackingDisabledLinkDataAreDeliveredAndLinksCreated() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            let location = try #require(try await exchange.get(path, userAgent: UserAgents.desktop).location)
            let click = try #require(location.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1)
            let open = try await exchange.form(
                "/v1/open", "sdk=web2.84.0&link_identifier=\(click)&tracking_disabled=true&branch_key=\(key)")
            #expect(try open.data["variety"] == "Cox")
            #expect(try await exchange.form("/v1/url", "data=%7B%7D&tracking_disabled=true&branch_key=\(key)").status == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities") == 0)
        }
    }
}

extension Exchange {
    fileprivate func form(_ path: String, _ body: String) async throws -> Answer {
        try await send(
            .post, path, userAgent: UserAgents.desktop,
            headers: [.origin: "https://page.example", .contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    }
}
