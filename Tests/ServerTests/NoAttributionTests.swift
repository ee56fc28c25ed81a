import HTTPTypes
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLiteStorage
import Testing

/// Links whose data are delivered without counting anything.
@Suite struct NoAttributionTests {
    private static let optOuts: [JSONObject] = [
        ["$deeplink_no_attribution": true], ["$deeplink_no_attribution": "true"], ["$do_not_process": true],
    ]

    private static func lastTouch(_ exchange: Exchange, _ key: String, _ user: Exchange.Answer) async throws -> JSONObject {
        let answer = try await exchange.post(
            "/v1/cpid/latd",
            [
                "branch_key": .string(key),
                "user_data": .object(["randomized_device_token": user.object["randomized_device_token"]!]),
            ])
        return answer.object["last_attributed_touch_data"]?.object ?? [:]
    }

    @Test(arguments: optOuts)
    func theDataIsDeliveredAndTheLinkGetsNoCredit(optOut: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let owner = try #require(try await exchange.install(key, from: "192.0.2.1").object["identity_id"])
            let path = try await exchange.createLink(
                key,
                ["alias": "pears", "channel": "mail", "data": .object(optOut.merging(["variety": "Cox"])), "identity_id": owner])
            let click = try #require(try await exchange.get(path).linkClickID)
            let openings: [(fields: JSONObject, matcher: JSON)] = [
                (["link_identifier": .string(click)], "link_click"),
                (["universal_link_url": .string("https://go.example.com" + path)], "link_url"), ([:], "fingerprint"),
            ]
            for (fields, matcher) in openings {
                // The first install claimed the click, and devices in a density cannot be distinguished.
                let address = matcher == "fingerprint" ? "192.0.2.7" : "203.0.113.7"
                if matcher == "fingerprint" { _ = try await exchange.get(path, from: address) }
                let install = try await exchange.install(key, fields, from: address)
                #expect(try install.data["variety"] == "Cox")
                #expect(try install.data["+clicked_branch_link"] == true)
                #expect(try await Self.lastTouch(exchange, key, install) == [:])

                let session = try await exchange.services.explanations.session(
                    try #require(install.object["session_id"]?.string))
                #expect(session.link == nil)
                #expect(session.referrer == nil)
                let explanation = try await exchange.services.explanations.explanation(of: session)
                    .view(exchange.services.publicIDs, exchange.services.baseURL)
                #expect(explanation["outcome"] == "matched")
                #expect(explanation["matcher"] == matcher)
                #expect(explanation["attributed"] == false)
                #expect(explanation["link"] == "https://go.example.com/pears")
            }
            let link = try await exchange.services.links.find("pears")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == LinkStatistics())
            exchange.installation.clock.advance(by: .seconds(60))
            try await exchange.services.statistics.aggregate()
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == LinkStatistics())
        }
    }

    @Test func anEarlierTouchStays() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try #require(try await exchange.get(try await exchange.createLink(key, ["channel": "mail"])).linkClickID)
            let user = try await exchange.install(key, ["link_identifier": .string(first)])
            let path = try await exchange.createLink(key, ["channel": "help"])
            let silent = try #require(try await exchange.get(path + "?%24deeplink_no_attribution=true").linkClickID)
            let open = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "link_identifier": .string(silent),
                    "randomized_device_token": user.object["randomized_device_token"]!,
                ])
            #expect(try open.data["~channel"] == "help")
            let touch = try await Self.lastTouch(exchange, key, user)
            #expect(touch["last_attributed_touch_data_tilde_channel"] == "mail")
        }
    }

    @Test func ofAVisitThatIsNotToBeProcessedOnlyWhatDeliversTheDataIsKept() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let ids = exchange.services.publicIDs
            for (data, isKept) in [(["$do_not_process": true], false), ([:], true)] as [(JSONObject, Bool)] {
                let path = try await exchange.createLink(key, ["data": .object(data)])
                let page = try await exchange.get(path, headers: [.referer: "https://shop.example/"])
                let text = try #require(page.linkClickID)
                let id: Click.ID = try #require(ids.id(for: text))
                let click = try #require(try await exchange.installation.storage.read { try $0.click(id) })
                #expect(click.userAgent == (isKept ? UserAgents.iPhone : ""))
                #expect((click.referrer == nil) != isKept)
                #expect((click.visitor.browser == nil) != isKept)
                #expect(click.isReportable == isKept)
                #expect(click.visitor.os == "iOS")
            }
        }
    }

    @Test(arguments: ["false", "0", "", "no"])
    func aSwitchThatIsOffAsksForNothing(value: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key, ["alias": "pears", "data": ["$deeplink_no_attribution": .string(value), "$do_not_process": .string(value)]])
            _ = try await exchange.get(path)
            _ = try await exchange.install(key)
            let link = try await exchange.services.links.find("pears")
            #expect(
                try await exchange.services.statistics.statistics(of: link.id, in: link.scope)
                    == LinkStatistics(clicks: 1, sessions: 1, installs: 1))
        }
    }

    @Test func theWindowsOfImpressionsAreKeptAndMatchNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let windows: JSONObject = [
                "$impression_install_window_days": 1, "$impression_session_start_window_days": "0.5",
                "$impression_conversion_window_days": 1,
            ]
            let path = try await exchange.createLink(key, ["data": .object(windows)])
            let click = try #require(try await exchange.get(path).linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(click)]).data
            for (name, value) in windows { #expect(data[name] == value) }

            var settings: JSONObject = ["branch_secret": .string(app.live.secret)]
            for name in windows.keys { settings[String(name.dropFirst())] = 1 }
            #expect(try await exchange.put("/v1/app/\(key)", .object(settings)).status == 200)
        }
    }

    @Test(arguments: ["soon", -1, 91, "1 day"] as [JSON])
    func aWindowThatIsNoNumberOfDaysIsRefused(value: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for name in ["click_conversion_window_days", "impression_install_window_days"] {
                let answer = try await exchange.put(
                    "/v1/app/\(app.live.key.branchKey)", .object(["branch_secret": .string(app.live.secret), name: value]))
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains("\(name) must be a number of days, from 0 to 90") == true)
            }
        }
    }
}
