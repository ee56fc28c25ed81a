import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

@Suite struct ClickRoutesTests {
    @Test func aDesktopIsRedirectedWithTheIdOfItsClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d?x=1#top"]])

            let answer = try await exchange.get(path, userAgent: UserAgents.desktop)

            #expect(answer.status == 302)
            #expect(answer.headers[.cacheControl] == "no-store")
            let location = try #require(answer.location)
            #expect(location.wholeMatch(of: /https:\/\/orchard\.example\.com\/d\?x=1&_branch_match_id=[0-9]{18}#top/) != nil)
        }
    }

    @Test func anAndroidPhoneGetsAPageThatFallsBackToThePlayStoreWithTheClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$android_deeplink_path": "pears"]])

            let answer = try await exchange.get(path, userAgent: UserAgents.android)

            #expect(answer.status == 200)
            let click = try #require(answer.linkClickID)
            #expect(click.count == 18)
            #expect(answer.body.contains("orchard://pears?link_click_id=\(click)"))
            #expect(answer.body.contains("id=com.example.orchard&amp;referrer=link_click_id%3D\(click)"))
        }
    }

    @Test func aPhoneWhosePlatformTheAppIsNotSetUpForGoesStraightOn() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: ["web_url": "https://orchard.example.com/home"])
            let path = try await exchange.createLink(app.live.key.branchKey)
            for phone in [UserAgents.iPhone, UserAgents.android] {
                let answer = try await exchange.get(path, userAgent: phone)
                #expect(answer.status == 302)
                #expect(answer.location?.hasPrefix("https://orchard.example.com/home?_branch_match_id=") == true)
            }
        }
    }

    @Test func aRobotIsSentToTheFallbackOrShownAPreviewAndIsNoClick() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let plain = try await exchange.createLink(
                key, ["alias": "plain", "data": ["$og_title": "Pears <b>", "$og_description": "Ripe"]])
            let falling = try await exchange.createLink(key, ["data": ["$fallback_url": "https://orchard.example.com/pears"]])

            let preview = try await exchange.get(plain, userAgent: UserAgents.googlebot)
            let fallback = try await exchange.get(falling, userAgent: UserAgents.googlebot)

            #expect(preview.status == 200)
            #expect(preview.body.contains(#"<meta property="og:title" content="Pears &lt;b&gt;">"#))
            #expect(fallback.location == "https://orchard.example.com/pears")
            let link = try await exchange.services.links.find("plain")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == LinkStatistics(robots: 1))
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
        }
    }

    @Test func aHeadRequestIsAnsweredAndCountsForNothing() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            let answer = try await exchange.send(.head, path, userAgent: UserAgents.iPhone)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            let link = try await exchange.services.links.find("pears")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == LinkStatistics())
        }
    }

    @Test(arguments: [("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch"), ("X-Moz", "prefetch")])
    func aPrefetchOpensNoMatch(header: String, value: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            _ = try await exchange.get(path, headers: [HTTPField.Name(header)!: value])
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
        }
    }

    @Test func anUnknownLinkIsAFriendlyPageForPeopleAndJSONForPrograms() async throws {
        try await Exchange.run { exchange in
            let page = try await exchange.get("/nothing/here")
            #expect(page.status == 404)
            #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(page.body.contains("leads nowhere"))

            let json = try await exchange.get("/nothing/here", headers: [.accept: "application/json"])
            #expect(json.status == 404)
            #expect(json.errorCode == 404)
        }
    }

    @Test func aHostileLinkCannotRunScriptNorLeadToOne() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key,
                [
                    "data": [
                        "$og_title": "</title><script>alert(1)</script>", "$deeplink_path": "\"><script>alert(2)</script>",
                        "$ios_url": "javascript:alert(3)", "$desktop_url": "data:text/html,x",
                        "$fallback_url": "https://ok.example/\r\nSet-Cookie: a=b",
                    ]
                ])

            let phone = try await exchange.get(path)
            let desktop = try await exchange.get(path, userAgent: UserAgents.desktop)

            #expect(!phone.body.contains("<script>alert"))
            #expect(!phone.body.contains("javascript:"))
            #expect(phone.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(desktop.location?.hasPrefix("https://ok.example/%0D%0ASet-Cookie:%20a=b?_branch_match_id=") == true)
        }
    }

    @Test func aSlashTooManyStillFindsTheLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "shop/pears"])
            for path in ["/shop/pears/", "//shop/pears"] {
                let answer = try await exchange.get(path)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func oneAliasInTwoUnicodeFormsIsOneLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let composed = try await exchange.createLink(key, ["alias": "\u{E9}tude"])
            let decomposed = try await exchange.post(
                "/v1/url", ["branch_key": .string(key), "alias": "e\u{301}tude", "channel": "x"])
            #expect(composed == "/%C3%A9tude")
            #expect(decomposed.status == 409)
            for path in ["/%C3%A9tude", "/e%CC%81tude"] {
                let answer = try await exchange.get(path)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func aPageLoadedAheadIsThePersonsOwnButNoClickYet() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            let answer = try await exchange.get(path, headers: [HTTPField.Name("Sec-Purpose")!: "prefetch;prerender"])
            #expect(answer.body.contains("orchard://open?link_click_id="))
            let link = try await exchange.services.links.find("pears")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == LinkStatistics(robots: 1))
        }
    }

    @Test func anAliasMayHoldOtherScriptsAndIsFoundByItsEncodedForm() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), "alias": "obst/äpfel"])
            #expect(answer.object["url"] == "https://go.example.com/obst/%C3%A4pfel")
            #expect(try await exchange.get("/obst/%C3%A4pfel").status == 200)
        }
    }
}
