import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Browser ids, their cookies, and what is no click.
@Suite struct BrowserRoutesTests {
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
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 0)
            _ = try await exchange.get(path, headers: [HTTPField.Name("Sec-Fetch-Dest")!: "document"])
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 1)
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

    @Test func aRobotIsGivenNoCookies() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.googlebot)
            #expect(answer.headers[values: .setCookie].isEmpty)
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

    @Test(
        arguments: [
            (nil, [200, 403]), ("https://evil.example", [200, 403]), ("https://go.example.com", [200, 200]),
            ("https://orchard.example.com", [200, 200]),
        ] as [(String?, [Int])])
    func inStrictModeOnlyTheAppsOwnPagesSendTextMessages(origin: String?, statuses: [Int]) async throws {
        let headers: HTTPFields = origin.map { [.origin: $0] } ?? [:]
        try await Exchange.run { exchange in
            for (security, status) in zip(["branch", "strict"], statuses) {
                let key = try await exchange.installation.createApp(
                    settings: Installation.settings.merging(["security": .string(security)])
                ).live.key.branchKey
                let path = try await exchange.createLink(key)
                let sent = try await exchange.send(
                    .post, "/c\(path)", headers: headers,
                    body: Array(#"{"phone":"+15551234567","branch_key":"\#(key)"}"#.utf8))
                #expect(sent.status == status, "\(security)")
                let stored = try await exchange.rows("SELECT COUNT(*) FROM events")
                #expect(stored == (status == 200 ? 1 : 0))
                try await exchange.change("DELETE FROM events")
            }
        }
    }
}
