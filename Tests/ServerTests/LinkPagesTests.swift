import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The pages at links' addresses.
@Suite struct LinkPagesTests {
    private static let pears: JSONObject = [
        "$og_title": "Conference pears", "$og_description": "From the old trees.",
        "$og_image_url": "https://img.orchard.example:8443/pear.jpg?w=600",
    ]

    @Test func androidIsGivenAnIntentThatGoesOnToTheStore() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$deeplink_path": "pears/7"]])
            let page = try await exchange.get(path, userAgent: UserAgents.android).body
            #expect(page.contains("intent://pears/7?link_click_id="))
            #expect(page.contains("package=com.example.orchard;S.browser_fallback_url=https%3A%2F%2Fplay.google.com"))
            #expect(page.contains("referrer%3Dlink_click_id%253D"))
            // For apps that read a page's tags and do not support intents.
            #expect(page.contains("<meta property=\"al:android:url\" content=\"orchard://pears/7?link_click_id="))
        }
    }

    @Test func aButtonIsAUniversalLinkOnTheAppsSecondDomain() async throws {
        try await Exchange.run { exchange in
            var settings = Installation.settings
            settings["ios_team_id"] = "A1B2C3D4E5"
            settings["ios_bundle_id"] = "com.example.orchard"
            settings["alternate_short_url_domain"] = "second.orchard.example"
            let app = try await exchange.installation.createApp(settings: settings, domain: "go.orchard.example")
            _ = try await exchange.services.domains.add("second.orchard.example", to: app.live.key.scope)
            let path = try await exchange.createLink(app.live.key.branchKey, ["data": ["pear": "conference"]])
            let page = try await exchange.get(path + "?ripe=1", host: "go.orchard.example").body
            let link = try #require(page.firstMatch(of: /id="open" href="https:\/\/second\.orchard\.example(\/c\/\d+)"/))
            // A tap on the Universal Link opens the app only if it is installed; by itself the page tries the scheme.
            #expect(page.contains("<body data-opens=\"orchard://open?link_click_id="))

            let opened = try await exchange.post(
                "/v1/install",
                [
                    "branch_key": .string(app.live.key.branchKey),
                    "universal_link_url": .string("https://second.orchard.example\(link.1)"),
                ])
            let data = try JSON.parse(opened.object["data"]?.string ?? "").object
            #expect(data?["pear"] == "conference")
            #expect(data?["ripe"] == "1")
            // Without the app, the link leads to a page that continues to the store.
            let back = try await exchange.get(String(link.1), host: "second.orchard.example")
            #expect(back.body.contains("https://apps.apple.com/app/id123456789"), "\(back)")
        }
    }

    @Test func aDeepviewShowsThePictureAndAllowsNoOther() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key, ["data": .object(Self.pears.merging(["$ios_deepview": "branch_default"]))])
            let answer = try await exchange.get(path)
            #expect(answer.body.contains("<img src=\"https://img.orchard.example:8443/pear.jpg?w=600\" alt=\"\">"))
            #expect(answer.policy.contains("img-src https://img.orchard.example:8443;"))
            #expect(answer.body.contains("From the old trees."))
            #expect(!answer.body.contains("data-opens"))
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "https://img.example;script-src *", "https://img.example 'unsafe-inline'", "//img.example/x",
        "pear.jpg",
        "https://*/x", "data:image/png;base64,AAAA", "https://img.example,*",
    ])
    func aPictureOpensNoHoleInThePolicy(url: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$ios_deepview": "x", "$og_image_url": .string(url)]])
            let policy = try await exchange.get(path).policy
            let allowed = policy.split(separator: ";").first { $0.contains("img-src") }?.split(separator: " ") ?? []
            #expect(allowed.count <= 2, "\(policy)")
            #expect(!policy.contains("*") && !policy.contains("unsafe"), "\(policy)")
            #expect(policy.components(separatedBy: "script-src").count == 2, "\(policy)")
        }
    }

    @Test func aPassiveDeepviewShowsThePictureOnTheWay() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": .object(Self.pears.merging(["$ios_passive_deepview": "x"]))])
            let page = try await exchange.get(path).body
            #expect(page.contains("<img ") && page.contains("<body data-opens=\"orchard://"))
        }
    }

    @Test func nativeLinkCopiesTheClickForTheAppToFind() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$ios_nativelink": true, "pear": "conference"]])
            let page = try await exchange.get(path + "?ripe=1").body
            let button = try #require(page.firstMatch(of: /id="copy" href="([^"]+)" data-link="([^"]+)"/))
            #expect(button.1 == "https://apps.apple.com/app/id123456789")
            let opened = try await exchange.post(
                "/v1/install", ["branch_key": .string(key), "local_url": .string(String(button.2))], from: "198.51.100.9")
            let data = try JSON.parse(opened.object["data"]?.string ?? "").object
            #expect(data?["pear"] == "conference")
            #expect(data?["ripe"] == "1")
            #expect(data?["+match_guaranteed"] == true)
        }
    }

    @Test func aDesktopWithNowhereToGoGetsACode() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let path = try await exchange.createLink(key, ["data": .object(Self.pears)])
            let answer = try await exchange.get(path + "?ripe=1", userAgent: UserAgents.desktop)
            #expect(answer.status == 200)
            #expect(answer.body.contains("<svg "))
            #expect(answer.body.contains("https://go.example.com\(path)?ripe=1"))
            #expect(answer.bytes.count < 20_000)
            // Text messages are not configured here.
            #expect(!answer.body.contains("<form"))
            #expect(answer.policy.contains("form-action 'none'"))
        }
    }

    @Test func aLinkTooLongForACodeIsNamedByItsClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let answer = try await exchange.get(
                "/a/\(key)?story=" + String(repeating: "pear", count: 2000), userAgent: UserAgents.desktop)
            let address = try #require(answer.body.firstMatch(of: /https:\/\/go\.example\.com(\/c\/\d+)/))
            #expect(answer.bytes.count < 20_000)
            // The phone that scans the code gets the whole query.
            #expect(try await exchange.get(String(address.1)).status == 200)
        }
    }

    @Test func aUsedLinkSaysSoWhereItHasNowhereElseToGo() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let path = try await exchange.createLink(key, ["type": 1])
            _ = try await exchange.post(
                "/v1/install", ["branch_key": .string(key), "universal_link_url": .string("https://go.example.com\(path)")])
            for userAgent in [UserAgents.iPhone, UserAgents.desktop] {
                #expect(try await exchange.get(path, userAgent: userAgent).body.contains("This link has been used"))
            }
        }
    }

    @Test func hasAppInTheAddressDecides() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$uri_redirect_mode": 1]])
            for staleDimensions in [path, path + "?has_app=no"] {
                let page = try await exchange.get(staleDimensions).body
                #expect(page.contains("<body data-opens=\"fallback\"") && page.contains("https://apps.apple.com/app/id123456789"))
            }
            #expect(try await exchange.get(path + "?has_app=yes").body.contains("<body data-opens=\"orchard://open"))
        }
    }

    @Test func debugShowsWhereALinkLeadsToClientsWithAToken() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(
                app.live.key.branchKey, ["channel": "mail", "data": ["$fallback_url": "https://f.example"]])
            let token = try await exchange.services.tokens.create(name: "t", role: .analyst, app: app.app.id).secret
            let authorization: HTTPFields = [.authorization: "Bearer " + token]
            let page = try await exchange.get(path + "?debug=1", headers: authorization)
            #expect(page.status == 200)
            for text in ["mail", "app → orchard://open → https://f.example", "redirect → https://f.example", "robot_fallback"] {
                #expect(page.body.contains(text), "\(text)")
            }
            // Debugging a link does not count as a click.
            let link = try await exchange.services.links.link(url: "https://go.example.com\(path)", in: app.live.key.scope)
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 0)

            #expect(try await exchange.get(path + "?debug=1").body.contains("orchard://open"))
            let wrong = try await exchange.get(path + "?debug=1", headers: [.authorization: "Bearer linden_wrong"])
            #expect(wrong.status == 401)
            let other = try await exchange.installation.createApp("Other").app.id
            let stranger = try await exchange.services.tokens.create(name: "o", role: .analyst, app: other).secret
            let strange = try await exchange.get(path + "?debug=1", headers: [.authorization: "Bearer " + stranger])
            #expect(strange.status == 403)
        }
    }

    @Test func theTestPageTellsWhetherUniversalLinksWork() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, [:])
            #expect(try await exchange.get("/e\(path)/?bnc_validate=true/").body.contains("Universal Links work"))
            let failed = try await exchange.get(path + "?bnc_validate=true").body
            #expect(failed.contains("The app did not open") && failed.contains("ios_team_id"))
            #expect(try await exchange.get("/nothing?bnc_validate=true").status == 404)
        }
    }
}
