import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import MaxMindDB
import SQLStorage
import SQLiteStorage
import Testing

/// The fields of the click log.
@Suite struct ClickDetailsTests {
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
}
