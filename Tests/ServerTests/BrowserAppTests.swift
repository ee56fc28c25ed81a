import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// What is known of an app beside a browser, and which pages learn it.
@Suite struct BrowserAppTests {
    private static let ownPage: HTTPFields = [.referer: "https://shop.orchard.example.com/pears"]

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

    @Test func whoKnowsTheIdOfAClickDoesNotHaveItsBrowser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key), from: "192.0.2.9")
            let id = try #require(click.linkClickID)
            for (address, browsers) in [("192.0.2.66", 0), ("192.0.2.9", 1)] as [(String, Int64)] {
                let install = try await exchange.install(key, ["link_identifier": .string(id)], from: address)
                #expect(install.status == 200, "\(install.body)")
                #expect(try await exchange.rows("SELECT COUNT(*) FROM browsers") == browsers)
            }
        }
    }

    @Test func aPageLearnsThatTheAppIsThereFromTheBrowserThatClicked() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key), from: "192.0.2.9")
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.install(key, ["link_identifier": .string(try #require(click.linkClickID))], from: "192.0.2.9")
            let answer = try await exchange.get(
                "/_r?branch_key=\(key)&callback=f", headers: [.cookie: cookies, .referer: "https://orchard.example.com/"])
            let number = try #require(answer.body.firstMatch(of: /[0-9]{18}/)?.0)
            #expect(!cookies.contains(number))
            let visit = JSON.object(
                Exchange.webSDK.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(String(number))]))
            for (page, hasApp) in [("https://orchard.example.com", true), ("https://evil.example", false)] {
                let open = try await exchange.post("/v1/open", visit, headers: [.origin: page])
                #expect(open.object["has_app"] == .bool(hasApp), "\(page)")
            }
            #expect(try await exchange.post("/v1/open", visit).object["has_app"] == false)
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            for headers in [Self.ownPage, [.origin: "https://orchard.example.com"]] as [HTTPFields] {
                #expect(try await exchange.get(call, headers: headers).body == "true")
            }
            // Other sites get no answer, even if they know the number.
            let longHosts = ["https://" + String(repeating: ".", count: 20_000), "https://" + String(repeating: "a.", count: 450)]
            for page in ["https://evil.example", "https://orchard.example.com.evil.example", "null"]
                + longHosts.map({ $0 + "orchard.example.com" })
            {
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
                .object(Exchange.webSDK.merging(["branch_key": .string(key), "browser_fingerprint_id": .string(String(number))])))
            #expect(open.object["has_app"] == false)
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            #expect(try await exchange.get(call, headers: Self.ownPage).body == "false")
        }
    }

    /// Anyone can name a user in a browser: a page, or a program that claims to be one of the app's.
    @Test(arguments: ["https://evil.example", "https://orchard.example.com", nil])
    func whoNamesAUserInABrowserDoesNotLearnWhetherTheUserHasTheApp(origin: String?) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9")
            var headers: HTTPFields = [:]
            headers[.origin] = origin
            let open = try await exchange.post(
                "/v1/open", .object(Exchange.webSDK.merging(["branch_key": .string(key), "identity": "bob"])), headers: headers)
            #expect(open.object["identity"] == "bob" && open.object["has_app"] == false, "\(open.body)")
            let number = try #require(open.object["browser_fingerprint_id"]?.string)
            let call = "/v1/has-app/\(key)?browser_fingerprint_id=\(number)"
            #expect(try await exchange.get(call, headers: Self.ownPage).body == "false")
        }
    }

    @Test func theAppsOwnPageLearnsThatItsUserHasInstalledTheApp() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            var visit = Exchange.webSDK.merging(["branch_key": .string(key), "identity": "bob"])
            let own: HTTPFields = [.origin: "https://shop.orchard.example.com"]
            let first = try await exchange.post("/v1/open", .object(visit), headers: own).object
            #expect(first["has_app"] == false)
            visit["browser_fingerprint_id"] = try #require(first["browser_fingerprint_id"])
            _ = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9")
            let visits: [(headers: HTTPFields, hasApp: JSON)] = [
                (own, true), (Self.ownPage, true), ([.origin: "https://evil.example"], false), ([.origin: "null"], false),
                ([:], false),
            ]
            for (headers, hasApp) in visits {
                let open = try await exchange.post("/v1/open", .object(visit), headers: headers)
                #expect(open.object["has_app"] == hasApp, "\(headers)")
            }
        }
    }

    @Test func aFurtherHostOfTheAppIsNamedByASetting() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["links.own_hosts": "page.example"])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let click = try await exchange.get(try await exchange.createLink(key), from: "192.0.2.9")
            let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
            _ = try await exchange.install(key, ["link_identifier": .string(try #require(click.linkClickID))], from: "192.0.2.9")
            let page: HTTPFields = [.cookie: cookies, .referer: "https://page.example/"]
            let answer = try await exchange.get("/_r?branch_key=\(key)&callback=f", headers: page)
            let number = try #require(answer.body.firstMatch(of: /[0-9]{18}/)?.0)
            #expect(
                try await exchange.get("/v1/has-app/\(key)?browser_fingerprint_id=\(number)", headers: page).body == "true")
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
}
