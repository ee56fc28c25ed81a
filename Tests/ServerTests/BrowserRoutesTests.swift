import Foundation
import HTTPTypes
import Linden
import LindenTesting
import LinkRouting
import Testing

@Suite struct BrowserRoutesTests {
    private static let web: JSONObject = ["sdk": "web2.84.0", "options": "{}"]
    private static let ownPage: HTTPFields = [.referer: "https://shop.orchard.example.com/pears"]

    @Test func aBrowserIsGivenANumberForEachSiteAndKeepsIt() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let call = "/_r?sdk=web2.84.0&branch_key=\(key)&callback=branch_callback__0"
            let first = try await exchange.get(call, headers: [.referer: "https://page.example/pears"])
            let number = try #require(first.body.firstMatch(of: /branch_callback__0\("([0-9]{18})"\);/)?.1)
            #expect(first.headers[.contentType]?.hasPrefix("text/javascript") == true)
            let cookie = try #require(first.headers[values: .setCookie].first)
            #expect(cookie.firstMatch(of: /^_s[0-9a-f]+=([0-9]{18});/)?.1 == number)
            #expect(cookie.hasSuffix("; Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=None"))

            let remembered = try await exchange.get("/_r?_t=\(number)&callback=f")
            #expect(remembered.body.contains("\"\(number)\""))
            let kept: HTTPFields = [.cookie: String(cookie.prefix { $0 != ";" }), .referer: "https://page.example/apples"]
            #expect(try await exchange.get("/_r?callback=f", headers: kept).body.contains("\"\(number)\""))

            // With a number that is equal for all sites, each site could act as the user of another.
            for page in ["https://evil.example/", "http://page.example/", nil] {
                var headers = kept
                headers[.referer] = page
                #expect(try await !exchange.get("/_r?callback=f", headers: headers).body.contains(number))
            }
        }
    }

    @Test func whatAPageRemembersNeverGetsIntoACookie() async throws {
        try await Exchange.run { exchange in
            let planted = try await exchange.number()
            let answer = try await exchange.get("/_r?_t=\(planted)&callback=f", headers: [.referer: "https://page.example/"])
            #expect(answer.headers[values: .setCookie].isEmpty)
        }
    }

    @Test func whatIsLoadedIntoAPageIsNoClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            for destination in ["image", "iframe", "script", "empty"] {
                let answer = try await exchange.get(path, headers: [HTTPField.Name("Sec-Fetch-Dest")!: destination])
                #expect(answer.headers[values: .setCookie].isEmpty)
            }
            let link = try await exchange.services.links.find("pears")
            #expect(try await exchange.services.statistics.statistics(of: link.id).clicks == 0)
            _ = try await exchange.get(path, headers: [HTTPField.Name("Sec-Fetch-Dest")!: "document"])
            #expect(try await exchange.services.statistics.statistics(of: link.id).clicks == 1)
        }
    }

    @Test(arguments: ["0", "abc", "26825897", "1234567890123456", "999999999999999999999", ""])
    func aNumberThatWasNeverGivenIsReplaced(number: String) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get("/_r?_t=\(number)&callback=f")
            #expect(answer.body.firstMatch(of: /f\("([0-9]{18})"\);/) != nil)
        }
    }

    @Test func overPlainHTTPACookieIsNotMarkedAsSecure() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(
                "/_r?callback=f", headers: [HTTPField.Name("X-Forwarded-Proto")!: "http", .referer: "http://page.example/"])
            let cookie = try #require(answer.headers[values: .setCookie].first)
            #expect(!cookie.contains("Secure") && cookie.contains("SameSite=Lax"))
        }
    }

    @Test func aPagesFirstOpenIsItsBrowsersFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let number = try await exchange.number()
            let open = JSONObject(Self.web.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(number)]))
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
            let open = try await exchange.post("/v1/open", .object(Self.web.merging(["branch_key": .string(key)])))
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
                    Self.web.merging([
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
                "/v1/open", .object(Self.web.merging(["branch_key": .string(key), "link_identifier": .string(String(click))])))
            let link = try await exchange.services.links.find("pears")
            #expect(
                try await exchange.services.statistics.statistics(of: link.id)
                    == LinkStatistics(clicks: 1, sessions: 1, installs: 0))
        }
    }

    @Test func anAppAsksTheBrowserBesideItWhatWasClickedThere() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
            #expect(cookies.count == 2)

            let match = try await exchange.get(
                "/_strong_match?os=iOS&hardware_id=H-1&branch_key=\(key)&sdk=ios0.25.9", from: "192.0.2.50",
                headers: [.cookie: cookies.joined(separator: "; ")])
            #expect(match.status == 200)

            // A network other than the click's, so that only the browser can identify it.
            let install = try await exchange.install(
                key, ["hardware_id": "H-1", "is_hardware_id_real": true], from: "192.0.2.50")
            #expect(try install.data["variety"] == "Cox")
            #expect(try install.data["+match_guaranteed"] == true)

            let number = String(cookies.first { $0.hasPrefix("_s=") }!.dropFirst(3))
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            #expect(try await exchange.get(call, headers: Self.ownPage).body == "true")
            // The association is used once.
            let again = try await exchange.install(key, ["hardware_id": "H-2", "is_hardware_id_real": true], from: "192.0.2.52")
            #expect(try again.data["+clicked_branch_link"] == false)
        }
    }

    @Test func whoKnowsTheIdOfAPhoneCannotSpeakForItsBrowser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key), from: "192.0.2.66")
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.get(
                "/_strong_match?google_advertising_id=GAID-V&branch_key=\(key)", from: "192.0.2.66", headers: [.cookie: cookies])
            let install = try await exchange.install(key, ["google_advertising_id": "GAID-V"], from: "203.0.113.77")
            #expect(try install.data["+clicked_branch_link"] == false)
        }
    }

    @Test func aPageLearnsThatTheAppIsThereFromTheBrowserThatClicked() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key))
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.install(key, ["link_identifier": .string(try #require(click.linkClickID))], from: "192.0.2.9")
            let answer = try await exchange.get(
                "/_r?branch_key=\(key)&callback=f", headers: [.cookie: cookies, .referer: "https://orchard.example.com/"])
            let number = try #require(answer.body.firstMatch(of: /[0-9]{18}/)?.0)
            #expect(!cookies.contains(number))
            let open = try await exchange.post(
                "/v1/open",
                .object(Self.web.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(String(number))])))
            #expect(open.object["has_app"] == true)
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            for headers in [Self.ownPage, [.origin: "https://orchard.example.com"]] as [HTTPFields] {
                #expect(try await exchange.get(call, headers: headers).body == "true")
            }
            // Other sites get no answer, even if they know the number.
            for page in ["https://evil.example", "https://orchard.example.com.evil.example", "null"] {
                for query in ["", "&callback=f"] {
                    let foreign = try await exchange.get(call + query, headers: [.origin: page, .referer: page])
                    #expect(foreign.status == 200 && foreign.body.contains("false"), "\(page)\(query)")
                }
            }
            #expect(try await exchange.get(call).body == "false")
        }
    }

    @Test(arguments: ["https://evil.example/", "https://notorchard.example.com/", "https://evil.example/?orchard.example.com", nil])
    func aPageOfAnotherSiteDoesNotLearnWhetherItsVisitorHasTheApp(page: String?) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key))
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.install(key, ["link_identifier": .string(try #require(click.linkClickID))], from: "192.0.2.9")
            var headers: HTTPFields = [.cookie: cookies]
            headers[.referer] = page
            let answer = try await exchange.get("/_r?branch_key=\(key)&callback=f", headers: headers)
            // The Web SDK continues as in an unknown browser.
            let number = try #require(answer.body.firstMatch(of: /f\("([0-9]{18})"\);/)?.1)
            let open = try await exchange.post(
                "/v1/open",
                .object(Self.web.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(String(number))])))
            #expect(open.object["has_app"] == false)
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            #expect(try await exchange.get(call, headers: Self.ownPage).body == "false")
        }
    }

    @Test func aFurtherHostOfTheAppIsNamedByASetting() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["links.own_hosts": "page.example"])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key))
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.install(key, ["link_identifier": .string(try #require(click.linkClickID))], from: "192.0.2.9")
            let page: HTTPFields = [.cookie: cookies, .referer: "https://page.example/"]
            let answer = try await exchange.get("/_r?branch_key=\(key)&callback=f", headers: page)
            let number = try #require(answer.body.firstMatch(of: /[0-9]{18}/)?.0)
            #expect(
                try await exchange.get("/v1/has-app/\(key)?browser_fingerprint_id=\(number)", headers: page).body == "true")
        }
    }

    @Test func anotherAppsBrowserClickIsNotGivenAway() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let other = try await exchange.installation.createApp("Other").live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key))
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.get("/_strong_match?hardware_id=H-1&branch_key=\(other)", headers: [.cookie: cookies])
            let install = try await exchange.install(
                other, ["hardware_id": "H-1", "is_hardware_id_real": true], from: "192.0.2.51")
            #expect(try install.data["+clicked_branch_link"] == false)
        }
    }

    @Test func aRobotIsGivenNoCookies() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.googlebot)
            #expect(answer.headers[values: .setCookie].isEmpty)
        }
    }

    @Test func hasAppIsABareFalseForUnknownBrowsers() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for query in ["", "?browser_fingerprint_id=", "?browser_fingerprint_id=123456789012345678"] {
                #expect(try await exchange.get("/v1/has-app/\(key)\(query)").body == "false")
            }
        }
    }

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

    @Test func aPageSendsItsLinkByTextMessage() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try await exchange.get(
                path + "?click=click", userAgent: UserAgents.desktop, headers: [.origin: "https://page.example"])
            let id = try #require(click.object["click_id"]?.string)
            #expect(click.headers[.accessControlAllowOrigin] == "https://page.example")
            let sent = try await exchange.send(
                .post, "/c/\(id)", body: Array("phone=%2B15551234567&sdk=web2.61.0&branch_key=\(key)".utf8))
            #expect(sent.status == 200)
            #expect(sent.body == "{}")
            // Here the path names a link instead of a click.
            let named = try await exchange.send(.post, "/c\(path)", body: Array("phone=1&branch_key=\(key)".utf8))
            #expect(named.status == 200)
            let unknown = try await exchange.send(.post, "/c/123456789012345678", body: Array("phone=1&branch_key=\(key)".utf8))
            #expect(unknown.status == 400)
            #expect(try await exchange.get("/c/\(id)").status == 200)
        }
    }
}

extension Exchange {
    fileprivate func number() async throws -> String {
        String(try #require(try await get("/_r?callback=f").body.firstMatch(of: /[0-9]{18}/)?.0))
    }
}

extension JSON {
    /// Base64 as a page's script sends it.
    fileprivate var base64: String { PercentCoding.encodeQueryValue(Data(bytes).base64EncodedString()) }
}
