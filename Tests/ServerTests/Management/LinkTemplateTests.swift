import HTTPTypes
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Templates, with which operators create links.
@Suite struct LinkTemplateTests {
    @Test func aLinkHasTheTemplatesLabelsAndDataWhereItHasNoneOfItsOwn() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let saved = try await orchard.templates(
                .post,
                [
                    "name": "News letter", "channel": "mail", "campaign": "spring", "tags": ["ripe"],
                    "data": ["$fallback_url": "https://orchard.example.com/", "variety": "Cox"],
                ])
            #expect(saved.status == 200 && saved.object["channel"] == "mail" && saved.object["stage"] == .some(.null))

            let link = try await orchard.create(
                ["template": "News letter", "campaign": "summer", "data": ["variety": "Gala"]])
            #expect(link["channel"] == "mail" && link["campaign"] == "summer" && link["tags"] == ["ripe"])
            let data = try #require(link["data"]?.object)
            #expect(data["$fallback_url"] == "https://orchard.example.com/" && data["variety"] == "Gala")
            #expect(try await orchard.create(["tags": ["red"], "template": "News letter"])["tags"] == ["red"])

            let missing = try await orchard.manage(.post, "/api/v1/links?app=\(orchard.key)", ["template": "Poster"])
            #expect(missing.status == 404 && missing.errorMessage == "The app has no template named Poster.")
        }
    }

    @Test func savingReplacesAndDeletingKeepsLinks() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            _ = try await orchard.templates(.post, ["name": "mail", "channel": "mail", "stage": "new"])
            let link = try await orchard.create(["template": "mail"])
            _ = try await orchard.templates(.post, ["name": "mail", "channel": "newsletter"])
            _ = try await orchard.templates(.post, ["name": "apples"])
            let listed = try await orchard.templates(.get).object["templates"]?.array?.compactMap(\.object) ?? []
            #expect(listed.map { $0["name"] } == ["apples", "mail"])
            #expect(listed.last?["channel"] == "newsletter" && listed.last?["stage"] == .some(.null))

            #expect(try await orchard.templates(.delete, name: "mail").object["deleted"] == true)
            #expect(try await orchard.templates(.delete, name: "mail").status == 404)
            let id = try #require(link["id"]?.string.flatMap { Int64($0) })
            #expect(try await exchange.services.links.link(Link.ID(rawValue: id))?.labels.channel == "mail")

            let entries = try await exchange.auditEntries().filter { $0.details.members["before"] != nil }.suffix(4)
            #expect(entries.last?.details.members["before"]?.object?["channel"] == "newsletter")
            #expect(try await exchange.auditProblems() == [])
        }
    }

    @Test func eachSideOfAnAppHasItsOwn() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            _ = try await orchard.templates(.post, ["name": "mail", "channel": "mail"])
            let test = try await exchange.manage(
                .get, "/api/v1/links/templates?app=\(orchard.app.test.key.branchKey)", token: orchard.token)
            #expect(test.json == ["templates": []])
            let link = try await exchange.manage(
                .post, "/api/v1/links?app=\(orchard.app.test.key.branchKey)", token: orchard.token, ["template": "mail"])
            #expect(link.status == 404)
        }
    }

    private static let wrong: [(JSON, String)] = [
        (["channel": "mail"], "name is missing"), (["name": "a\nb"], "name must have 1 to 100 characters"),
        (["name": .string(String(repeating: "x", count: 101))], "name must have 1 to 100 characters"),
        (["name": "a", "channel": .string(String(repeating: "x", count: 129))], "channel may have at most 128 characters."),
        (["name": "a", "alias": "b"], "alias is not a member of a template"),
        (["name": "a", "data": [1]], "data must be an object"),
    ]

    @Test(arguments: wrong) func aWrongTemplateIsNotStored(body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let answer = try await orchard.templates(.post, body)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await orchard.templates(.get).json == ["templates": []])
        }
    }

    @Test func aTemplateWhoseAddressesTheAppRefusesIsRefusedLikeALink() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let scope = orchard.app.live.key.scope
            _ = try await orchard.templates(.post, ["name": "former", "data": ["$fallback_url": "https://elsewhere.example/"]])
            _ = try await exchange.services.apps.update(scope, settings: ["redirect_allowlist": ["orchard.example.com"]])
            let data: JSON = ["$fallback_url": "https://elsewhere.example/", "$desktop_url": "https://orchard.example.com/"]

            let link = try await exchange.manage(
                .post, "/api/v1/links?app=\(orchard.key)", token: orchard.token, ["data": data])
            let template = try await orchard.templates(.post, ["name": "mail", "data": data])
            #expect(template.status == 400 && template.errorMessage == link.errorMessage)
            #expect(template.errorMessage?.contains("$fallback_url must lead to a host on the app's redirect_allowlist") == true)
            #expect(try await exchange.services.linkTemplates.list(scope).map(\.name) == ["former"], "What is stored stays.")
            let allowed: JSON = ["$desktop_url": "https://orchard.example.com/", "variety": "https://elsewhere.example/"]
            #expect(try await orchard.templates(.post, ["name": "mail", "data": allowed]).status == 200)
        }
    }

    @Test func anAppsSideHasABoundedNumber() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            for number in 1...LinkTemplate.mostPerScope {
                try await exchange.services.linkTemplates.save(LinkTemplate(name: "t\(number)"), in: orchard.app.live.key.scope)
            }
            #expect(try await orchard.templates(.post, ["name": "one more"]).status == 409)
            #expect(try await orchard.templates(.post, ["name": "t7", "channel": "mail"]).status == 200)
        }
    }

    /// Data of 60,006 bytes with as many in characters of two bytes.
    private static let large: JSONObject = ["a": .string(String(repeating: "ä", count: 29_999))]

    @Test func theDataAndTagsOfAnAppsSideAreBoundedInAll() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let (templates, scope) = (exchange.services.linkTemplates, orchard.app.live.key.scope)
            #expect(LinkTemplate(name: "a", data: Self.large).storedBytes == 60_006)
            for number in 1...8 { try await templates.save(LinkTemplate(name: "t\(number)", data: Self.large), in: scope) }
            let refused = try await orchard.templates(.post, ["name": "t9", "data": .object(Self.large)])
            #expect(refused.status == 409)
            #expect(refused.errorMessage?.contains("at most 524288 bytes of data and tags in all, not 540054") == true)

            let rest = LinkTemplate.mostBytesPerScope - 8 * 60_006
            func filling(_ bytes: Int, tags: [String] = []) -> LinkTemplate {
                LinkTemplate(
                    name: "t9", labels: Labels(tags: tags), data: ["a": .string(String(repeating: "x", count: bytes - 8))])
            }
            await #expect(throws: Failure.self) { try await templates.save(filling(rest + 1), in: scope) }
            await #expect(throws: Failure.self) { try await templates.save(filling(rest, tags: ["a"]), in: scope) }
            try await templates.save(filling(rest - 5, tags: ["a"]), in: scope)
            #expect(try await templates.list(scope).map(\.storedBytes).reduce(0, +) == LinkTemplate.mostBytesPerScope)

            try await templates.save(LinkTemplate(name: "t1", data: Self.large), in: scope)
            await #expect(throws: Failure.self) { try await templates.save(LinkTemplate(name: "one", data: ["a": 1]), in: scope) }
            try await templates.save(LinkTemplate(name: "t1"), in: scope)
            #expect(try await orchard.templates(.post, ["name": "one", "data": ["a": 1]]).status == 200)
            let test = orchard.app.test.key.scope
            try await templates.save(LinkTemplate(name: "t1", data: Self.large), in: test)
        }
    }

    /// A list of all templates is parsed and written at once.
    @Test func itsDataHasABoundedNumberOfValues() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            func save(_ values: Int) async throws -> Exchange.Answer {
                try await orchard.templates(.post, ["name": "mail", "data": ["a": .array(Array(repeating: 1, count: values - 1))]])
            }
            #expect(try await save(200).status == 200)
            let refused = try await save(201)
            #expect(refused.status == 400)
            #expect(refused.errorMessage == "The data of a template may have at most 200 values, not 201.")
        }
    }

    @Test func itsNamesAndLabelsAreReadWithoutItsData() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let (templates, scope) = (exchange.services.linkTemplates, orchard.app.live.key.scope)
            let labels = Labels(channel: "mail", tags: ["ripe"])
            try await templates.save(LinkTemplate(name: "pears", labels: labels, data: ["variety": "Köstliche"]), in: scope)
            try await templates.save(LinkTemplate(name: "apples"), in: scope)
            // No template can be read whose data is no JSON.
            try await exchange.change("UPDATE link_templates SET data = '{ü' WHERE name = 'apples'")
            await #expect(throws: (any Error).self) { try await templates.list(scope) }
            #expect(try await templates.names(scope) == ["apples", "pears"])
            #expect(
                try await templates.summaries(scope) == [
                    LinkTemplateSummary(name: "apples", labels: Labels(), dataBytes: 3),
                    LinkTemplateSummary(name: "pears", labels: labels, dataBytes: 24),
                ])
            try await templates.save(LinkTemplate(name: "plums"), in: scope)
            let list = try await orchard.manage(.get, "/api/v1/links/templates?app=\(orchard.key)&without_data=true").object
            let listed = list["templates"]?.array?.compactMap(\.object) ?? []
            #expect(listed.map { $0["name"] } == ["apples", "pears", "plums"] && listed.allSatisfy { $0["data"] == nil })
            #expect(listed.count == 3 && listed[1]["channel"] == "mail" && listed[1]["tags"] == ["ripe"])
            let browser = try await DashboardBrowser(exchange, as: .editor)
            for path in ["links/new", "links/templates"] {
                let page = try await browser.get("/dashboard/apps/\(orchard.app.app.id)/\(path)")
                #expect(page.status == 200 && page.body.contains(">apples<"))
            }
        }
    }
}

/// An app with a token of the role editor.
private struct Orchard {
    let exchange: Exchange
    let app: CreatedApp
    let token: String
    var key: String { app.live.key.branchKey }

    init(_ exchange: Exchange) async throws {
        self.exchange = exchange
        app = try await exchange.installation.createApp()
        token = try await exchange.token(.editor, for: app)
    }

    func manage(_ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil) async throws -> Exchange.Answer {
        try await exchange.manage(method, target, token: token, body)
    }

    func templates(_ method: HTTPRequest.Method, _ body: JSON? = nil, name: String? = nil) async throws -> Exchange.Answer {
        try await manage(method, "/api/v1/links/templates?app=\(key)" + (name.map { "&name=" + $0 } ?? ""), body)
    }

    func create(_ body: JSON) async throws -> JSONObject {
        try await manage(.post, "/api/v1/links?app=\(key)", body).object
    }
}
