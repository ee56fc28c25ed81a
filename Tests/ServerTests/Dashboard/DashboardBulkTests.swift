import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Links that are selected in the list and changed together.
@Suite struct DashboardBulkTests {
    @Test(
        arguments: [
            ("add-tag", "ripe", ["red", "ripe"], "mail"), ("remove-tag", "red", [], "mail"), ("channel", "sms", ["red"], "sms"),
            ("channel", "", ["red"], nil), ("campaign", "harvest", ["red"], "mail"), ("folder", "autumn", ["red"], "mail"),
        ] as [(String, String, [String], String?)])
    func theSelectedLinksAreChanged(action: String, value: String, tags: [String], channel: String?) async throws {
        try await Exchange.run { exchange in
            let (path, links) = try await Self.links(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get(path)
            #expect(page.body.contains(#"<input type="checkbox" name="link" value="\#(links[0].id)""#))

            let answer = try await browser.submit(
                path + "/bulk", links: links.prefix(2), ["action": action, "value": value, "to": path + "?search=apple"])

            #expect(answer.body.contains("2 links were changed.") && answer.body.contains("\(path)?search=apple"), "\(answer.body)")
            let changed = try await Self.stored(links, exchange)
            #expect(changed.map(\.labels.tags) == [tags, tags, ["red"]])
            #expect(changed.map(\.labels.channel) == [channel, channel, "mail"])
            #expect(changed[0].labels.campaign == (action == "campaign" ? "harvest" : nil))
            #expect(changed[0].folder == (action == "folder" ? "autumn" : nil))
        }
    }

    @Test func linksExpireAndAreOpenedAgain() async throws {
        try await Exchange.run { exchange in
            let (path, links) = try await Self.links(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            _ = try await browser.submit(path + "/bulk", links: links[...], ["action": "expire"])
            #expect(try await exchange.get("/apple-1").status == 410)
            #expect(try await browser.get(path + "?state=ended").body.contains("apple-3<"))
            _ = try await browser.submit(path + "/bulk", links: links[...], ["action": "reopen"])
            #expect(try await exchange.get("/apple-1").status != 410)
            #expect(try await Self.stored(links, exchange).allSatisfy { $0.limits.expiresAt == nil })
        }
    }

    @Test func deletingAsksForTheNumberOfLinks() async throws {
        try await Exchange.run { exchange in
            let (path, links) = try await Self.links(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let question = try await browser.submit(path + "/bulk", links: links.prefix(2), ["action": "delete"])
            #expect(question.body.contains("To confirm, type 2"))
            let wrong = try await browser.submit(path + "/bulk-delete", links: links.prefix(2), ["confirmation": "3"])
            #expect(wrong.status == 400)
            #expect(try await Self.stored(links, exchange).allSatisfy { $0.deletedAt == nil })
            let done = try await browser.submit(path + "/bulk-delete", links: links.prefix(2), ["confirmation": "2"])
            #expect(done.body.contains("2 links were deleted."))
            #expect(try await Self.stored(links, exchange).map { $0.deletedAt == nil } == [false, false, true])
            let again = try await browser.submit(path + "/bulk-delete", links: links.prefix(2), ["confirmation": "2"])
            #expect(again.body.contains("2 links were refused."))
        }
    }

    @Test func anUnclearSelectionIsRefusedAndChangesNothing() async throws {
        try await Exchange.run { exchange in
            let (path, links) = try await Self.links(exchange)
            var browser = try await DashboardBrowser(exchange, as: .editor)
            for (chosen, fields, message) in [
                ([], ["action": "expire"], "Select the links to change."), (links, ["action": "explode"], "Choose what to do."),
                (links, ["action": "add-tag"], "Type the tag."),
            ] as [([Link], [String: String], String)] {
                let answer = try await browser.submit(path + "/bulk", links: chosen[...], fields)
                #expect(answer.status == 400 && answer.body.contains(message), "\(answer.body)")
            }
            #expect(try await Self.stored(links, exchange).allSatisfy { $0.labels.tags == ["red"] && $0.limits.expiresAt == nil })
            #expect(try await !DashboardBrowser(exchange, as: .analyst, name: "bea").get(path).body.contains("checkbox"))
        }
    }

    private static func links(_ exchange: Exchange) async throws -> (path: String, links: [Link]) {
        let app = try await exchange.installation.createApp()
        var links: [Link] = []
        for number in 1...3 {
            _ = try await exchange.createLink(
                app.live.key.branchKey, ["alias": .string("apple-\(number)"), "channel": "mail", "tags": ["red"]])
            links.append(try await exchange.services.links.find("apple-\(number)"))
        }
        return ("/dashboard/apps/\(app.app.id)/links", links)
    }

    private static func stored(_ links: [Link], _ exchange: Exchange) async throws -> [Link] {
        var stored: [Link] = []
        for link in links { stored.append(try #require(try await exchange.services.links.link(link.id))) }
        return stored
    }
}

extension DashboardBrowser {
    /// Sends a form with selected links.
    fileprivate mutating func submit(
        _ path: String, links: ArraySlice<Link>, _ fields: [String: String]
    ) async throws -> Exchange.Answer {
        let selection = links.map { "link=\($0.id)" }.joined(separator: "&")
        return try await submit(path, fields, also: selection)
    }
}
