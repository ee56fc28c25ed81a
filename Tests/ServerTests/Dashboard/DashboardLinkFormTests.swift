import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Creating, changing and deleting links in the dashboard.
@Suite struct DashboardLinkFormTests {
    @Test func aLinkIsCreatedWithAllItsFields() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            #expect(try await browser.get(path + "/new").status == 200)
            let fields = [
                "retry_key": "k", "alias": "spring", "$og_title": " Spring sale ", "$deeplink_path": "sale/1",
                "$desktop_url": "https://orchard.example.com/sale", "channel": "mail", "campaign": "spring", "tags": "red, green ,",
                "expires_at": "2027-02-01T10:00", "max_clicks": "100",
            ]
            let answer = try await browser.submit(path, fields)
            #expect(answer.status == 303)
            let link = try await exchange.services.links.find("spring")
            #expect(answer.location == "\(path)/\(link.id)?saved=created")
            #expect(link.labels == Labels(channel: "mail", campaign: "spring", tags: ["red", "green"]))
            #expect(link.data["$og_title"] == "Spring sale" && link.data["$deeplink_path"] == "sale/1")
            #expect(link.limits.expiresAt?.iso8601 == "2027-02-01T10:00:00.000Z" && link.limits.maxClicks == 100)
            #expect(link.isAuthenticated && link.kind == .marketing)
            #expect(try await browser.submit(path, fields).location == answer.location, "A second click creates no second link.")
        }
    }

    @Test(arguments: [
        ("alias", "a b", "alias may contain"), ("max_clicks", "0", "max_clicks must be"),
        ("expires_at", "soon", "expires_at must be"),
        ("channel", String(repeating: "x", count: 1000), "channel may have"),
        ("tags", String(repeating: "x", count: 1000), "each of tags may have"),
    ])
    func aMistakeIsSaidAtItsField(field: String, value: String, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit(
                "/dashboard/apps/\(app.app.id)/links", [field: value, "$og_title": "Spring sale", "retry_key": "k"])
            #expect(answer.status == 400)
            let message = try #require(answer.body.firstMatch(of: /id="fault-([a-z_]+)">([^<]*)</))
            #expect(message.1 == field[...] && message.2.hasPrefix(says))
            #expect(answer.body.contains(#"value="Spring sale""#) && answer.body.contains(#"value="\#(value)""#))
            #expect(answer.body.contains(#"name="retry_key" value="k""#))
        }
    }

    @Test func aTakenPathIsAConflict() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "spring"])
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit("/dashboard/apps/\(app.app.id)/links", ["alias": "spring", "channel": "mail"])
            #expect(answer.status == 409 && answer.body.contains(#"value="spring""#))
            #expect(answer.body.contains(#"id="fault-alias">Link alias conflict: "#) && !answer.body.contains("notice problem"))
        }
    }

    @Test func addressesThatTheAppRefusesAreNamedAtTheirFields() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.services.apps.update(
                app.live.key.scope, settings: ["redirect_allowlist": ["orchard.example.com"]])
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit(
                "/dashboard/apps/\(app.app.id)/links",
                ["$fallback_url": "https://elsewhere.example/", "$desktop_url": "https://orchard.example.com/"])
            #expect(answer.status == 400)
            let faults = answer.body.matches(of: /id="fault-([a-z_$]+)">([^<]*)</).map { String($0.1) }
            #expect(faults == ["$fallback_url"])
        }
    }

    @Test func aLinkIsChangedFieldByField() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get(orchard.linkPath + "/edit").body
            #expect(page.contains(#"name="$og_title" type="text" value="Cox""#))
            let answer = try await browser.submit(
                orchard.linkPath,
                [
                    "$og_title": "", "$og_description": "Crisp", "channel": "", "campaign": "autumn", "feature": "Cox",
                    "stage": "Cox",
                    "tags": "red",
                ])
            #expect(answer.location == orchard.linkPath + "?saved=changed")
            let link = try #require(try await exchange.services.links.link(orchard.link.id))
            #expect(link.labels == Labels(feature: "Cox", campaign: "autumn", stage: "Cox", tags: ["red"]))
            #expect(
                link.data["$og_title"]?.isNull == true && link.data["$og_description"] == "Crisp" && link.data["variety"] == "Cox")
        }
    }

    @Test func everyLabelIsRemovedByEmptyingItsField() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            #expect(try await browser.submit(orchard.linkPath, ["$og_title": "Cox"]).status == 303)
            let link = try #require(try await exchange.services.links.link(orchard.link.id))
            #expect(link.labels == Labels() && link.data["$og_title"] == "Cox")
        }
    }

    @Test func aPreviewSaysWhereTheLinkWouldLeadAndStoresNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let empty = try await browser.get(path + "/new").body
            #expect(empty.contains("<td>iPhone</td>") && empty.contains(#"data-preview="\#(path)/preview""#))
            let fields = [
                "$og_title": "A crate of Cox", "$og_description": "Crisp", "$og_image_url": "https://orchard.example.com/cox.png",
                "$desktop_url": "https://orchard.example.com/cox", "alias": "cox", "channel": "mail", "retry_key": "k",
            ]
            let page = try await browser.submit(path + "/preview", fields)
            #expect(page.status == 200 && page.headers[.init("Content-Security-Policy")!]?.contains("connect-src 'self'") == true)
            let preview = try #require(page.body.firstMatch(of: /(?s)<section id="preview".*?<\/section>/)).0
            #expect(preview.contains("A crate of Cox") && preview.contains("Crisp") && preview.contains("go.example.com"))
            #expect(preview.contains("Picture: https://orchard.example.com/cox.png"))
            #expect(preview.contains("<td>https://orchard.example.com/cox?utm_source=mail</td>"))
            #expect(page.body.contains(#"value="A crate of Cox""#) && page.body.contains(#"name="retry_key" value="k""#))
            #expect(page.body.contains("--alias cox") && page.body.contains("POST /api/v1/links?app="))
            #expect(try await browser.get(path).body.contains("No link yet"))
            let wrong = try await browser.submit(path + "/preview", ["max_clicks": "0"])
            #expect(wrong.status == 400 && wrong.body.contains(#"id="fault-max_clicks""#))
            #expect(!wrong.body.contains("<td>iPhone</td>"))
        }
    }

    /// What an operator enters is trusted, unlike the parameters of a long link.
    @Test func aPreviewLeadsToPartnersAsTheLinkDoes() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let fields = [
                "$og_title": "Apples of https://partner.example", "$og_image_url": "https://pictures.partner.example/cox.png",
                "$fallback_url": "https://partner.example/phone", "$desktop_url": "https://partner.example/desktop",
                "max_clicks": "3", "alias": "partner", "retry_key": "k",
            ]
            let draft = try await browser.submit(path + "/preview", fields).body
            let created = try await browser.get(try #require(try await browser.submit(path, fields).location)).body
            for page in [draft, created] {
                #expect(page.contains("Picture: https://pictures.partner.example/cox.png"))
                #expect(page.contains(#"<p class="socialtitle">Apples of https://partner.example</p>"#))
                #expect(page.contains("https://partner.example/phone"))
                #expect(page.contains("<td>https://partner.example/desktop</td>"))
            }
        }
    }

    @Test(arguments: [
        ("$fallback_url", "not a url"), ("$fallback_url", "javascript:alert(1)"), ("$desktop_url", "ftp://orchard.example"),
    ])
    func whatIsPassedOverIsSaidBeforeAndAfterItIsSaved(key: String, value: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let says = ">\(key) is passed over: it must be a URL that begins with https://"
            let fields = [key: value, "alias": "cox", "retry_key": "k"]
            let draft = try await browser.submit(path + "/preview", fields)
            let preview = try #require(draft.body.firstMatch(of: /(?s)<section id="preview".*?<\/section>/)).0
            #expect(draft.status == 200 && preview.contains(says))
            let created = try await browser.get(try #require(try await browser.submit(path, fields).location)).body
            #expect(created.contains("The link was created.") && created.contains(says))

            let link = "\(path)/\(try await exchange.services.links.find("cox").id)"
            #expect(try await browser.submit(link + "/preview", fields).body.contains(says))
            let changed = try await browser.submit(link, [key: "https://orchard.example.com/"])
            #expect(try await !browser.get(try #require(changed.location)).body.contains(says))
        }
    }

    @Test func aPreviewOfAChangeKeepsWhatIsStored() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.submit(
                orchard.linkPath + "/preview", ["$og_title": "Gala", "$desktop_url": "https://orchard.example.com/gala"])
            #expect(page.status == 200 && page.body.contains("<td>https://orchard.example.com/gala</td>"))
            #expect(page.body.contains(#"<p class="socialtitle">Gala</p>"#))
            #expect(page.body.contains("PATCH /api/v1/links/\(orchard.link.id)"))
            #expect(try await exchange.services.links.link(orchard.link.id)?.data["$og_title"] == "Cox")
        }
    }

    @Test func theFormOffersTheLabelsOfTheLatestLinks() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for campaign in ["spring", "harvest", "spring"] {
                _ = try await exchange.createLink(app.live.key.branchKey, ["campaign": .string(campaign), "channel": "mail"])
            }
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get("/dashboard/apps/\(app.app.id)/links/new").body
            #expect(page.contains(#"list="values-campaign""#) && !page.contains("values-stage"))
            let values = #"<option value="spring"></option><option value="harvest"></option>"#
            #expect(page.contains(#"<datalist id="values-campaign">\#(values)</datalist>"#))
        }
    }

    @Test func aNewLinkStartsFromTheLabelsOfALatestOneOrIsLikeAnother() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, path) = (app.live.key.branchKey, "/dashboard/apps/\(app.app.id)/links")
            var browser = try await DashboardBrowser(exchange, as: .editor)
            #expect(try await !browser.get(path + "/new").body.contains("Labels of your latest links"))
            let mail: JSONObject = ["channel": "mail", "feature": "newsletter", "campaign": "spring", "tags": ["red", "ripe"]]
            _ = try await exchange.createLink(key, mail.merging(["alias": "one", "data": ["$og_title": "Cox"]]))
            _ = try await exchange.createLink(key, mail.merging(["alias": "two"]))
            _ = try await exchange.createLink(key, ["channel": "qr"])

            let page = try await browser.get(path + "/new").body
            #expect(page.contains("<p>Labels of your latest links:</p>") && !page.contains("The app's templates"))
            #expect(page.contains(#"aria-current="page">no labels<"#) && page.matches(of: /mail · newsletter · spring/).count == 1)
            #expect(page.contains("utm_source on web pages.") && page.contains("utm_medium on web pages."))
            let target = "\(path)/new?channel=mail&amp;feature=newsletter&amp;campaign=spring&amp;tags=red%2C%20ripe"
            #expect(page.contains(#"<a href="\#(target)">"#))
            let filled = try await browser.get(target.replacing("&amp;", with: "&")).body
            #expect(filled.contains(#"aria-current="page">mail · newsletter · spring<"#))
            for value in [#"name="feature" type="text" value="newsletter""#, #"name="tags" type="text" value="red, ripe""#] {
                #expect(filled.contains(value))
            }
            let one = try await exchange.services.links.find("one")
            let like = try await browser.get("\(path)/new?like=\(one.id)").body
            #expect(like.contains(#"value="Cox""#) && like.contains(#"name="alias" type="text" value="""#))
            #expect(try await browser.get(path + "/new?like=1").status == 404)
            let other = try await DashboardApp(exchange, "Meadow")
            #expect(try await browser.get("\(path)/new?like=\(other.link.id)").status == 404)

            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["utm_mapping": "false"])
            #expect(try await !browser.get(path + "/new").body.contains("utm_source"))
            _ = try await browser.submit(path, ["alias": "three", "channel": "qr"])
            #expect(try await exchange.services.links.find("three").labels == Labels(channel: "qr"))
        }
    }

    /// The data of a link may have keys that the form has no field for.
    @Test func aLinkLikeAnotherHasWhatTheFormDoesNotShow() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, path) = (app.live.key.branchKey, "/dashboard/apps/\(app.app.id)/links")
            _ = try await exchange.createLink(
                key,
                [
                    "alias": "one", "type": 1, "duration": 60, "expired_url": "https://orchard.example.com/over",
                    "data": ["variety": "Cox", "crate": ["apples": 12], "$og_title": "Apples"],
                ])
            let one = try await exchange.services.links.find("one")
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get("\(path)/new?like=\(one.id)").body
            #expect(page.contains(#"name="like" value="\#(one.id)""#))
            let fields = ["retry_key": "k", "alias": "two", "like": "\(one.id)", "$og_title": "Pears"]
            #expect(try await browser.submit(path + "/preview", fields).body.contains(#"name="like" value="\#(one.id)""#))
            #expect(try await browser.submit(path, fields).status == 303)
            let two = try await exchange.services.links.find("two")
            #expect(two.data == ["variety": "Cox", "crate": ["apples": 12], "$og_title": "Pears"])
            #expect(two.kind == one.kind && two.duration == 60)
            #expect(two.limits.expiredURL == "https://orchard.example.com/over")
            let other = try await DashboardApp(exchange, "Meadow")
            #expect(try await browser.submit(path, ["alias": "three", "like": "\(other.link.id)"]).status == 404)
        }
    }

    @Test func aLinkIsDeletedOnlyByItsPath() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            #expect(try await browser.submit(orchard.linkPath + "/delete", ["confirmation": "other"]).status == 400)
            let answer = try await browser.submit(orchard.linkPath + "/delete", ["confirmation": orchard.link.address.path])
            #expect(answer.location == orchard.linkPath)
            #expect(try await browser.get(orchard.linkPath).body.contains("This link was deleted"))
            #expect(try await browser.get(orchard.linkPath + "/edit").status == 410)
        }
    }
}
