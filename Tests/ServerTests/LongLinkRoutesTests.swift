import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Links that were not created by a call: all of their data are in the query.
@Suite struct LongLinkRoutesTests {
    @Test func aClickStoresTheWindowsThatItsLinkSets() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let set = LinkWindows(install: "7.0", sessionStart: nil, conversion: "1.5")
            let query = "%24click_install_window_days=7&%24click_conversion_window_days=1.5"
            for (query, windows) in [(query, set), ("channel=mail", nil)] as [(String, LinkWindows?)] {
                let text = try #require(try await exchange.get("/a/\(key)?\(query)").linkClickID)
                let id: Click.ID = try #require(exchange.services.publicIDs.id(for: text))
                let click = try #require(try await exchange.installation.storage.read { try $0.click(id) })
                #expect(click.longLink?.windows == windows)
            }
        }
    }

    @Test func aLongLinkOpensTheAppWithItsData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let page = try await exchange.get(
                "/a/\(key)?channel=sms&tags=ripe&%24deeplink_path=pears&n=1&data=eyJjdWx0aXZhciI6IkNveCJ9")
            #expect(page.status == 200)
            let click = try #require(page.linkClickID)
            #expect(page.body.contains("orchard://pears?link_click_id="))

            let session = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.8")
            let data = try session.data
            #expect(data["cultivar"] == "Cox")
            #expect(data["n"] == "1")
            #expect(data["~channel"] == "sms")
            #expect(data["~tags"] == ["ripe"])
            #expect(data["~id"] == "0")
            #expect(data["~creation_source"] == 6)
            #expect(data["+clicked_branch_link"] == true)
            #expect(data["data"] == nil)
        }
    }

    @Test func theLinkOfEverySessionIsALongLinkThatWorks() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let link = try #require(try await exchange.install(key, from: "192.0.2.8").object["link"]?.string)
            let path = String(link.dropFirst("https://go.example.com".count))
            // Old iOS SDKs append a second query, newer ones extend the first.
            for separator in ["?", "&"] {
                let click = try #require(try await exchange.get(path + separator + "channel=mail&source=ios").linkClickID)
                let data = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9").data
                #expect(data["~channel"] == "mail")
                #expect(data["$identity_id"] == nil)
            }
        }
    }

    @Test func anInstallMayBeGivenToALongLinkByItsFingerprint() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get("/a/\(key)?cultivar=Cox")
            let data = try await exchange.install(key).data
            #expect(data["cultivar"] == "Cox")
            #expect(data["+match_guaranteed"] == false)
        }
    }

    @Test func anAppOpenedByALongLinkGetsItsData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let url = "https://go.example.com/a/\(key)?cultivar=Cox&channel=push"
            let data = try await exchange.install(key, ["universal_link_url": .string(url)]).data
            #expect(data["cultivar"] == "Cox")
            #expect(data["~referring_link"] == .string(url))
            #expect(data["+match_guaranteed"] == true)
        }
    }

    @Test func onAnAppsOwnDomainTheQueryAloneIsALink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(domain: "links.orchard.example").live.key.branchKey
            let page = try await exchange.get("/?cultivar=Cox", host: "links.orchard.example")
            let click = try #require(page.linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9").data
            #expect(data["cultivar"] == "Cox")
            #expect(data["~referring_link"] == .string("https://links.orchard.example/a/\(key)?cultivar=Cox"))
        }
    }

    @Test(arguments: ["/?cultivar=Cox", "/a/key_live_unknown?x=1", "/a/?x=1", "/a"])
    func withoutAKeyTheOwnerOfTheLinkIsUnknown(target: String) async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp()
            let answer = try await exchange.get(target)
            #expect(answer.status == 404)
            #expect(answer.body.contains("leads nowhere"))
        }
    }

    @Test func anotherAppsLongLinksDoNotLieOnAnAppsDomain() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(domain: "links.orchard.example")
            let other = try await exchange.installation.createApp("Other").live.key.branchKey
            #expect(try await exchange.get("/a/\(other)?x=1", host: "links.orchard.example").status == 404)
            #expect(try await exchange.get("/a/\(other)?x=1").status == 200)
        }
    }

    @Test func behindEALinkStaysOnTheWeb() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key, ["alias": "pears", "data": ["$fallback_url": "https://pears.example.com"]])
            for form in ["/e\(path)", "/e\(path)/", "/e\(path)?x=1"] {
                let answer = try await exchange.get(form)
                #expect(answer.status == 302, "\(form)")
                #expect(answer.location?.hasPrefix("https://pears.example.com?_branch_match_id=") == true)
            }
            let url = "https://shop.orchard.example.com"
            let long = try await exchange.get("/e/a/\(key)?%24fallback_url=\(url)")
            #expect(long.location?.hasPrefix(url + "?_branch_match_id=") == true)
            #expect(try await exchange.get("/e").status == 404)
        }
    }

    @Test func whatAValidatorAppendsComesBackAsTexts() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "pears", "data": ["bnc_validate": true, "~tags": "ripe"]])
            for query in ["", "?bnc_validate=true&ct=t1&_branch_validate=060514&validate_integration=true"] {
                let url = "https://go.example.com/pears" + query
                let data = try await exchange.install(key, ["universal_link_url": .string(url)]).data
                #expect(data["bnc_validate"] == "true")
                #expect(data["~tags"] == ["ripe"])
                if !query.isEmpty {
                    #expect(data["ct"] == "t1")
                    #expect(data["_branch_validate"] == "060514")
                    #expect(data["validate_integration"] == "true")
                }
                #expect(data["~referring_link"] == .string(url))
            }
        }
    }

    @Test func theAppThatSharesALinkIsNotItsFirstVisitor() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "shared", "ignore_ua_string": .string(UserAgents.iPhone)])
            #expect(try await exchange.get(path).status == 200)
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
            let link = try await exchange.services.links.find("shared")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 0)
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 1)
        }
    }

    @Test func clicksOnLongLinksAreCountedForNoLink() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live.key
            let key = app.branchKey
            _ = try await exchange.get("/a/\(key)?x=1")
            _ = try await exchange.install(key)
            exchange.installation.clock.advance(by: .seconds(60))
            try await exchange.services.maintenance.runOnce()
            #expect(try await exchange.services.statistics.statistics(of: .long, in: app.scope).clicks == 0)
        }
    }
}
