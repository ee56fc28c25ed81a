import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Templates of links in the dashboard.
@Suite struct DashboardTemplateTests {
    @Test func aNewLinkBeginsWithATemplate() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let saved = try await browser.submit(
                path + "/templates",
                ["name": "News & views", "channel": "mail", "tags": "red, ripe", "$fallback_url": "https://orchard.example.com/"])
            #expect(saved.status == 303 && saved.location == path + "/templates?saved=saved")
            let list = try await browser.get(path + "/templates").body
            #expect(
                list.contains(">News &amp; views<") && list.contains("<td>mail</td>") && list.contains(">48<"))

            let page = try await browser.get(path + "/new").body
            #expect(page.contains(#"<a href="\#(path)/new?template=News%20%26%20views">News &amp; views</a>"#))
            let filled = try await browser.get(path + "/new?template=News%20%26%20views").body
            #expect(filled.contains(#"aria-current="page">News &amp; views<"#))
            for value in [#"name="channel" type="text" value="mail""#, #"name="tags" type="text" value="red, ripe""#] {
                #expect(filled.contains(value))
            }
        }
    }

    /// The data of a template may have keys that the form has no field for.
    @Test func whatTheFormDoesNotShowIsInTheLinkToo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.services.linkTemplates.save(
                LinkTemplate(
                    name: "mail", labels: Labels(channel: "mail"), data: ["variety": "Cox", "$og_title": "Apples"]),
                in: app.live.key.scope)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            #expect(try await browser.get(path + "/new?template=mail").body.contains(#"name="template" value="mail""#))
            let answer = try await browser.submit(
                path, ["retry_key": "k", "alias": "spring", "template": "mail", "channel": "sms", "$og_title": ""])
            #expect(answer.status == 303)
            let link = try await exchange.services.links.find("spring")
            #expect(link.labels.channel == "sms" && link.data["variety"] == "Cox" && link.data["$og_title"] == nil)
            // One that was deleted meanwhile is like none.
            try await exchange.services.linkTemplates.delete("mail", in: app.live.key.scope)
            let without = try await browser.submit(path, ["retry_key": "l", "alias": "autumn", "template": "mail"])
            #expect(without.status == 303)
            #expect(try await exchange.services.links.find("autumn").data["variety"] == nil)
        }
    }

    @Test func aTemplateIsReplacedAndDeleted() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links/templates"
            for channel in ["mail", "sms"] { _ = try await browser.submit(path, ["name": "one", "channel": channel]) }
            let templates = exchange.services.linkTemplates
            #expect(try await templates.list(app.live.key.scope) == [LinkTemplate(name: "one", labels: Labels(channel: "sms"))])
            let mistake = try await browser.submit(path, ["channel": "mail"])
            #expect(mistake.status == 400 && mistake.body.contains(#"id="fault-name""#))
            let chosen = try await browser.get(path + "?template=one").body
            #expect(chosen.contains(#"name="channel" type="text" value="sms""#) && chosen.contains(">one<"))
            #expect(try await browser.get(path).body.contains(#"<a href="\#(path)/delete?template=one">Delete</a>"#))
            #expect(try await browser.get(path + "/delete?template=one").body.contains("To confirm, type one"))
            let unconfirmed = try await browser.submit(path + "/delete?template=one", ["confirmation": "two"])
            #expect(unconfirmed.status == 400 && unconfirmed.body.contains("This is not the template&#39;s name."))
            #expect(try await templates.list(app.live.key.scope).count == 1)
            let deleted = try await browser.submit(path + "/delete?template=one", ["confirmation": "one"])
            #expect(deleted.location == path + "?saved=deleted")
            #expect(try await templates.list(app.live.key.scope).isEmpty)
            for unknown in [
                try await browser.get(path + "/delete?template=one"),
                try await browser.submit(path + "/delete?template=one", ["confirmation": "one"]),
            ] {
                #expect(unknown.status == 404 && unknown.body.contains("The app has no template named one."))
            }
        }
    }
}
