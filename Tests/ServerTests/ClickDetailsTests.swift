import Foundation
import HTTPTypes
import Linden
import LindenTesting
import LinkRouting
import MaxMindDB
import SQLStorage
import SQLiteStorage
import Testing

/// The fields of the click log.
@Suite struct ClickDetailsTests {
    private static let chromeBrands = #""Chromium";v="144", "Google Chrome";v="144", "Not/A)Brand";v="8""#
    private static let reduced =
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36"

    private static func hints(platform: String, mobile: String = "?1", model: String? = nil, version: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [
            HTTPField.Name("Sec-CH-UA")!: chromeBrands, HTTPField.Name("Sec-CH-UA-Platform")!: "\"\(platform)\"",
            HTTPField.Name("Sec-CH-UA-Mobile")!: mobile,
        ]
        fields[HTTPField.Name("Sec-CH-UA-Model")!] = model.map { "\"\($0)\"" }
        fields[HTTPField.Name("Sec-CH-UA-Platform-Version")!] = version.map { "\"\($0)\"" }
        return fields
    }

    @Test func aClickIsLoggedWithAllThatItTells() async throws {
        try await Exchange.run(country: { $0.matchKey == "203.0.113.7" ? "DE" : nil }) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let query = "utm_source=news&utm_medium=e%2Dmail&utm_campaign=fr%C3%BChling"

            let answer = try await exchange.get(
                path + "?" + query, userAgent: UserAgents.android, headers: [.referer: "https://News.example:8443/pears?page=2"])

            let click = try await exchange.click(answer)
            #expect(
                click.visitor
                    == Visitor(
                        platform: .android, os: "Android", osVersion: "14", device: .androidPhone, maker: .google, model: "Pixel 8",
                        browser: WebBrowser(.chrome, version: "126"), country: "DE"))
            #expect(click.id.time == exchange.installation.clock.now)
            #expect(click.referrer == "https://News.example:8443/pears?page=2")
            #expect(click.referrerHost == "news.example")
            #expect(click.query == query)
            #expect(click.action == .app)
            #expect(click.reason == .app)
            #expect(click.via == nil)
        }
    }

    @Test func anInAppBrowserIsLoggedInPlaceOfABrowser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let instagram =
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 "
                + "Instagram 334.0.0.18 (iPhone15,2; iOS 17_5_1; de_DE; scale=3.00; 1179x2556; 613)"
            let click = try await exchange.click(exchange.get(exchange.createLink(key), userAgent: instagram))
            #expect(click.visitor.inAppBrowser == .instagram)
            #expect(click.visitor.browser == nil)
            #expect(click.visitor.model == "iPhone15,2")
        }
    }

    @Test(arguments: [
        ("", nil), ("about:blank", nil), ("/pears", nil), ("android-app://com.example.mail/", "com.example.mail"),
        ("https://" + String(repeating: "a", count: 254) + "/", nil),
    ])
    func aReferrerWithoutASiteHasNoHost(referrer: String, host: String?) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.click(exchange.get(exchange.createLink(key), headers: [.referer: referrer]))
            #expect(click.referrerHost == host)
        }
    }

    @Test func whatTheVisitorWasAnsweredWithIsLogged() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"])
            let path = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            let leading = try await exchange.createLink(
                app.live.key.branchKey, ["data": ["$desktop_url": "https://orchard.example.com/"]])
            let answers: [(path: String, userAgent: String, action: Click.Action, reason: Destination.Reason)] = [
                (path, UserAgents.iPhone, .app, .app), (path, UserAgents.desktop, .sendToPhone, .desktop),
                (path, UserAgents.googlebot, .preview, .robotPreview), (leading, UserAgents.desktop, .redirect, .desktop),
            ]
            for expected in answers {
                _ = try await exchange.get(expected.path, userAgent: expected.userAgent)
                let click = try await exchange.lastClick()
                #expect(click.action == expected.action)
                #expect(click.reason == expected.reason)
            }
        }
    }

    @Test func theClickWhoseAddressWasVisitedIsLogged() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.get(exchange.createLink(key) + "?utm_source=news")
            let id = try #require(first.linkClickID)

            let second = try await exchange.click(exchange.get("/c/\(id)?seat=7"))

            #expect(second.via == (try await exchange.click(first).id))
            #expect(second.id != second.via)
            #expect(second.query == "utm_source=news&seat=7")
        }
    }

    @Test func anAppOpenedByALinkIsAClickOnTheDeviceAndInTheCountryThatItSays() async throws {
        try await Exchange.run(country: { _ in "DE" }) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.get(exchange.createLink(key), userAgent: UserAgents.desktop)
            let id = try #require(first.location?.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1)

            let opened = try await exchange.install(
                key, ["model": "iPhone15,2", "universal_link_url": .string("https://go.example.com/c/\(id)")])

            #expect(try opened.data["+clicked_branch_link"] == true)
            let click = try await exchange.lastClick()
            #expect(click.visitor.country == "DE")
            #expect(click.visitor.model == "iPhone15,2")
            #expect(click.action == nil)
            #expect(click.via == exchange.services.publicIDs.id(for: String(id)))
        }
    }

    // MARK: Browsers

    @Test func aBrowserThatComesBackIsKnownWhereverItIsSent() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let number = exchange.services.publicIDs.string(
                for: try await exchange.installation.storage.write { try $0.newID(Device.self) })
            let cookie: HTTPFields = [.cookie: "_s=\(number)"]

            let answer = try await exchange.get(path, userAgent: UserAgents.desktop, headers: cookie)

            #expect(try await exchange.lastClick().browser == exchange.services.publicIDs.id(for: number))
            #expect(answer.headers[values: .setCookie].isEmpty, "no app will ask for it")

            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            #expect(try await exchange.lastClick().browser == nil)
            _ = try await exchange.get(path, userAgent: UserAgents.googlebot, headers: cookie)
            #expect(try await exchange.lastClick().browser == nil)
        }
    }

    @Test func aComputersBrowserIsNotTakenForTheOneBesideAnApp() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let browser = try await exchange.installation.storage.write { try $0.newID(Device.self) }
            let number = exchange.services.publicIDs.string(for: browser)
            let answer = try await exchange.get(
                exchange.createLink(key), userAgent: UserAgents.desktop, headers: [.cookie: "_s=\(number)"])
            let id = try #require(answer.location?.firstMatch(of: /_branch_match_id=([0-9]+)/)?.1)

            let opened = try await exchange.install(key, ["link_identifier": .string(String(id))])

            #expect(try opened.data["+clicked_branch_link"] == true)
            let hasApp = try await exchange.get("/v1/has-app/\(key)?browser_fingerprint_id=\(number)")
            #expect(hasApp.body == "false")
        }
    }

    // MARK: Countries

    @Test func aVisitorIsRedirectedByCountry() async throws {
        let file = MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE", "2001:db8:1::/48": "FR"])
        try await Installation.withFolder { folder in
            let path = folder + "/countries.mmdb"
            try Data(file).write(to: URL(filePath: path))
            let database = try NetworkDatabase(path: path, of: .country)
            try await Exchange.run(country: { database.value(of: $0.bytes) }) { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let link = try await exchange.createLink(
                    key,
                    [
                        "data": [
                            "$ios_url": "https://shop.example/", "$ios_url_de": "https://shop.example/de",
                            "$ios_url_fr": "https://shop.example/fr", "$web_only": true,
                            "$fallback_url": "https://shop.example/", "$fallback_url_de": "https://shop.example/desktop/de",
                        ]
                    ])
                // The log stores only an IPv6 address's /64, but the country is that of the whole address.
                for (address, page, country) in [
                    ("203.0.113.9", "https://shop.example/de", "DE"), ("2001:db8:1:2:3:4:5:6", "https://shop.example/fr", "FR"),
                    ("192.0.2.1", "https://shop.example/", nil),
                ] {
                    let answer = try await exchange.get(link, from: address)
                    #expect(answer.location?.hasPrefix(page + "?_branch_match_id=") == true)
                    #expect(try await exchange.lastClick().visitor.country == country)
                }
                let computer = try await exchange.get(link, userAgent: UserAgents.desktop, from: "203.0.113.9")
                #expect(computer.location?.hasPrefix("https://shop.example/desktop/de?") == true)
            }
        }
    }

    // MARK: Addresses

    @Test func theClassOfAnAddressIsLoggedWhichIsWorkedOutWhileTheAddressIsWhole() async throws {
        let classifier = AddressClassifier(
            sharedNetworks: NetworkSet(["203.0.113.0/25", "2001:db8:1:2:3::/80"].compactMap { Network($0) }), sharedOwners: [64500],
            owner: { $0.matchKey == "192.0.2.1" ? 64500 : nil })
        try await Exchange.run(addressClass: { classifier.addressClass(of: $0) }) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            for (address, expected) in [
                ("203.0.113.9", AddressClass.listed), ("203.0.113.129", .plain), ("192.0.2.1", .owner),
                ("2001:db8:1:2:3::9", .listed), ("2001:db8:1:2:4::9", .plain),
            ] {
                _ = try await exchange.get(path, userAgent: UserAgents.android, from: address)
                let click = try await exchange.lastClick()
                #expect(click.addressClass == expected, "\(address)")
                let open = try await exchange.installation.storage.read { reader in
                    try reader.openClicks(
                        Fingerprint(scope: click.scope, address: click.address, os: "Android", osVersion: "14"), limit: 8)
                }
                #expect(open.first { $0.click == click.id }?.addressClass == expected, "\(address)")
            }
        }
    }

    // MARK: Client hints

    @Test func anAndroidTabletThatAsksAsAComputerIsSentWhereAndroidGoes() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/desktop"]])

            let tablet = try await exchange.get(
                path, userAgent: UserAgents.desktop, headers: Self.hints(platform: "Android", mobile: "?0"))
            let computer = try await exchange.get(
                path, userAgent: UserAgents.desktop, headers: Self.hints(platform: "Linux", mobile: "?0"))

            #expect(tablet.status == 200)
            #expect(tablet.body.contains("id=com.example.orchard"))
            #expect(try await exchange.click(tablet).visitor.device == .androidTablet)
            #expect(computer.location?.hasPrefix("https://orchard.example.com/desktop?") == true)
        }
    }

    @Test func visitorsOfOneUserAgentAreDistinguishedByTheirHints() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            // Twice each, because parsed user agents are cached.
            for _ in 0..<2 {
                for (model, version, maker) in [("Pixel 8", "15", DeviceMaker.google), ("SM-S918B", "14", .samsung)] {
                    let answer = try await exchange.get(
                        path, userAgent: Self.reduced,
                        headers: Self.hints(platform: "Android", model: model, version: version + ".0.0"))
                    let visitor = try await exchange.click(answer).visitor
                    #expect(visitor.model == model)
                    #expect(visitor.osVersion == version)
                    #expect(visitor.maker == maker)
                    #expect(visitor.browser == WebBrowser(.chrome, version: "144"))
                }
            }
            let unhinted = try await exchange.click(exchange.get(path, userAgent: Self.reduced)).visitor
            #expect(unhinted.model == nil)
            #expect(unhinted.osVersion == nil)
        }
    }

    /// Two phones behind one address, with equal user agents.
    @Test func anInstallIsMatchedByTheVersionThatOnlyHintsTell() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (variety, version) in [("Cox", "15.0.0"), ("Elstar", "14.0.0")] {
                let path = try await exchange.createLink(key, ["data": ["variety": .string(variety)]])
                _ = try await exchange.get(
                    path, userAgent: Self.reduced, headers: Self.hints(platform: "Android", version: version))
            }
            let opened = try await exchange.post(
                "/v1/install",
                [
                    "branch_key": .string(key), "os": "Android", "os_version": "35", "os_version_android": "15",
                    "sdk": "android5.12.0",
                ])
            #expect(try opened.data["variety"] == "Cox")
        }
    }

    @Test func aBrowserIsAskedToSayMoreButNeverToAskTwice() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/"]])
            for userAgent in [UserAgents.android, UserAgents.desktop] {
                let answer = try await exchange.get(path, userAgent: userAgent)
                #expect(answer.headers[HTTPField.Name("Accept-CH")!] == "Sec-CH-UA-Model, Sec-CH-UA-Platform-Version")
                #expect(answer.headers[HTTPField.Name("Critical-CH")!] == nil)
            }
        }
    }

    @Test func hugeHintsAreCutBeforeAnythingIsKeptOfThem() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let long = String(repeating: "x\u{301}", count: 500)
            let answer = try await exchange.get(
                exchange.createLink(key), userAgent: Self.reduced,
                headers: Self.hints(platform: "Android", model: long, version: "9" + long))
            let visitor = try await exchange.click(answer).visitor
            #expect(visitor.model == String(repeating: "x", count: 64))
            #expect(visitor.osVersion == "9")
        }
    }
}

extension Exchange {
    /// The click whose id the page passes to the app.
    fileprivate func click(_ answer: Answer) async throws -> Click {
        let text = try #require(answer.linkClickID)
        let id: Click.ID = try #require(services.publicIDs.id(for: text))
        return try #require(try await installation.storage.read { try $0.click(id) })
    }

    fileprivate func lastClick() async throws -> Click {
        let click = try await installation.storage.read { reader in
            try (reader as! SQLTransaction).connection.first("SELECT MAX(id) FROM clicks") { $0.id(0) }.flatMap(reader.click)
        }
        return try #require(click)
    }
}
