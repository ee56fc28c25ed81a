import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The tools of the MCP server: each is a call of the management API.
@Suite struct MCPToolsTests {
    /// A value of each argument; those of an id are put in by the test.
    private static let values: JSONObject = [
        "alias": "plums", "data": ["variety": "Cox"], "tags": ["red"], "expires_at": "2099-01-31T18:00:00Z",
        "expired_url": "https://orchard.example.com/over", "max_clicks": 9, "template": "newsletter", "from": "2027-01-14",
        "to": "2027-01-15",
        "state": "open", "sort": "oldest", "cursor": "1", "limit": 10, "as": "iphone", "user_agent": "Twitterbot/1.0",
        "country": "de", "has_app": true, "timezone": "Europe/Berlin", "topic": ["click"], "by": ["channel"], "outcome": "organic",
        "kind": "install",
        "platform": "ios", "filter": ["channel=mail"], "aggregation": "unique_count", "granularity": "all", "ordered": "ascending",
        "ordered_by": "channel", "zero_fill": true, "after": 0, "event": "PURCHASE", "days": 7,
    ]

    @Test func everyArgumentOfEveryToolIsUnderstood() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            try await exchange.services.linkTemplates.save(LinkTemplate(name: "newsletter"), in: app.live.key.scope)
            let session = try await exchange.install(app.live.key.branchKey).object["session_id"] ?? .null
            let link = JSON.string("\(try await exchange.services.links.find("pears").id)")
            let ids: JSONObject = [
                "app": .string("\(app.app.id)"), "link_id": link, "link": link, "session_id": session,
            ]
            let token = try await exchange.token()
            let tools = try await exchange.request("tools/list", token: token).result["tools"]?.array ?? []
            #expect(tools.count == 17)
            for tool in tools.compactMap(\.object) {
                let name = try #require(tool["name"]?.string)
                let schema = try #require(tool["inputSchema"]?.object)
                var required = JSONObject()
                for argument in schema["required"]?.array ?? [] { required[argument.string ?? ""] = ids[argument.string ?? ""] }
                if name == "top_values" || name == "count_events" { required["by"] = ["channel"] }
                for argument in try #require(schema["properties"]?.object).keys {
                    var arguments = required
                    if name == "list_content", argument == "from" || argument == "to" { arguments["sort"] = "views" }
                    arguments[argument] = ids[argument] ?? Self.values[argument] ?? "mail"
                    if name == "list_content", argument == "sort" { arguments["sort"] = "revenue" }
                    let result = try await exchange.tool(name, arguments, token: token)
                    #expect(!result.isError, "\(name) \(argument): \(result.text)")
                    #expect(result.json != [:])
                    #expect(try JSON.parse(result.text) == .object(result.json))
                }
            }
        }
    }

    @Test func argumentsAreNoLongerThanAURL() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (id, token) = (JSON.string("\(app.app.id)"), try await exchange.token(.editor, for: app))
            let search = JSON.string(String(repeating: "p", count: 70_000))
            let refused = try await exchange.tool("list_links", ["app": id, "search": search], token: token)
            #expect(refused.isError && refused.text.contains("at most 65536 bytes"), "\(refused.text.prefix(200))")
        }
    }

    @Test func aLinkBeginsWithATemplateThatWasFound() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.services.linkTemplates.save(
                LinkTemplate(name: "newsletter", labels: Labels(channel: "mail"), data: ["variety": "Cox"]),
                in: app.live.key.scope)
            let (id, token) = (JSON.string("\(app.app.id)"), try await exchange.token(.editor, for: app))

            let list = try await exchange.tool("list_templates", ["app": id], token: token)
            let template = try #require(list.json["templates"]?.array?.first?.object)
            #expect(template["channel"] == "mail" && template["data"] == nil, "\(list.text)")
            let link = try await exchange.tool("create_link", ["app": id, "template": template["name"] ?? .null], token: token)
            #expect(link.json["channel"] == "mail", "\(link.text)")
            #expect(link.json["data"]?.object?["variety"] == "Cox")
            let test = try await exchange.tool(
                "list_templates", ["app": .string(app.test.key.branchKey)], token: token)
            #expect(test.json == ["templates": []])
        }
    }

    @Test func aTokenHasTheToolsOfItsRole() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (analyst, admin) = (try await exchange.token(.analyst, for: app), try await exchange.token(.admin, for: app))
            var tools: [Set<String>] = []
            for token in [analyst, admin, try await exchange.token(.support, for: app)] {
                tools.append(Set(try await exchange.request("tools/list", token: token).toolNames))
            }
            #expect(tools[1].subtracting(tools[0]) == ["create_link"])
            #expect(
                tools[2] == [
                    "list_apps", "list_links", "list_templates", "read_link", "preview_link", "list_sessions", "explain_session",
                ])

            let arguments: JSONObject = ["app": .string("\(app.app.id)"), "alias": "pears"]
            let refused = try await exchange.tool("create_link", arguments, token: analyst)
            #expect(refused.isError)
            #expect(refused.text.contains("role admin"))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
            let created = try await exchange.tool("create_link", arguments, token: admin)
            #expect(!created.isError)
            #expect(created.json["url"] == "https://go.example.com/pears")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 1)
        }
    }

    @Test func anotherAppsDataIsRefusedOrAnsweredLikeNone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(domain: "links.example.com")
            let meadow = try await exchange.installation.createApp("Meadow", domain: "meadow.example.com")
            for app in [orchard, meadow] { _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"]) }
            _ = try await exchange.createLink(orchard.live.key.branchKey, ["alias": "plums"])
            let link = "\(try await exchange.services.links.find("plums").id)"
            let session = try #require(try await exchange.install(orchard.live.key.branchKey).object["session_id"]?.string)
            let token = try await exchange.token(for: meadow)

            for tool in ["list_links", "list_templates", "create_link", "count_events", "list_sessions", "run_doctor"] {
                let result = try await exchange.tool(tool, ["app": .string("\(orchard.app.id)")], token: token)
                #expect(result.isError)
                #expect(result.text.contains("The token is not valid for this app."), "\(tool): \(result.text)")
            }
            let secrets: [(String, String, String, String)] = [
                ("read_link", "link_id", link, "1"), ("link_statistics", "link_id", link, "1"),
                ("preview_link", "link", link, "1"), ("preview_link", "link", "plums", "1"),
                ("preview_link", "link", "https://links.example.com/plums", "1"), ("explain_session", "session_id", session, "1"),
            ]
            for (tool, argument, value, none) in secrets {
                let (found, missing) = (
                    try await exchange.tool(tool, [argument: .string(value)], token: token),
                    try await exchange.tool(tool, [argument: .string(none)], token: token)
                )
                #expect(found.isError)
                #expect(found.text == missing.text.replacing(" \(none)", with: " \(value)"), "\(tool) \(value)")
            }
            // The alias is that of links of both apps, of which the token sees one.
            let own = try await exchange.tool("preview_link", ["link": "pears"], token: token)
            #expect(own.json["url"] == "https://meadow.example.com/pears")
            let both = try await exchange.tool("preview_link", ["link": "pears"], token: try await exchange.token())
            #expect(both.isError)
            #expect(both.text.contains("Several links"))
        }
    }

    private static let wrong: [(String, JSONObject, String)] = [
        ("list_links", ["app": "1", "colour": "red"], "colour is not an argument of list_links. Its arguments are app, search,"),
        ("list_apps", ["app": "1"], "app is not an argument of list_apps. It has none."), ("list_links", [:], "app is missing."),
        ("list_links", ["app": ["x": 1]], "app must be a string, not an object."),
        ("read_link", ["link_id": ""], "link_id must not be empty."),
        ("list_links", ["app": "APP", "sort": "size"], "sort must be one of newest, oldest"),
        ("list_links", ["app": "APP&limit=1"], "APP&limit=1"), ("read_link", ["link_id": "../apps"], "There is no link ..%2Fapps."),
        ("create_link", ["app": "APP", "max_clicks": "many"], "max_clicks"),
        ("preview_link", ["link": "pears", "as": "fridge"], "as must be one of iphone"),
        ("preview_link", ["link": "pears", "country": "Germany"], "two letters"),
    ]

    @Test(arguments: wrong)
    func aWrongArgumentIsAResultThatSaysWhatIsRight(tool: String, arguments: JSONObject, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let text = JSON.object(arguments).text.replacing("APP", with: "\(app.app.id)")
            let result = try await exchange.tool(
                tool, try #require(try JSON.parse(text).object), token: try await exchange.token())
            #expect(result.isError)
            #expect(result.text.contains(says.replacing("APP", with: "\(app.app.id)")), "\(result.text)")
            #expect(result.json == [:])
        }
    }

    @Test func anAnswerThatIsTooLargeSaysHowToAskForLess() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let label = JSON.string(String(repeating: "🍐", count: 127))
            for _ in 0..<20 {
                let links = (0..<50).map { _ in JSON.object(["channel": label, "feature": label, "campaign": label]) }
                let answer = try await exchange.post("/v1/url/bulk/" + app.live.key.branchKey, .array(links))
                try #require(answer.status == 200, "\(answer.body.prefix(200))")
            }
            let (token, id) = (try await exchange.token(), JSON.string("\(app.app.id)"))
            let all = try await exchange.tool("list_links", ["app": id, "limit": 1000], token: token)
            #expect(all.isError)
            #expect(all.text.hasPrefix("The answer has more than 1048576 bytes. Ask for less: a smaller limit"))
            #expect(all.json == [:])
            let some = try await exchange.tool("list_links", ["app": id, "limit": 500], token: token)
            #expect(some.json["links"]?.array?.count == 500)
        }
    }

    @Test func aToolCallCountsAsOneRequest() async throws {
        try await Exchange.runLimited {
            $0[.request].address = Rate(perMinute: 3)
        } _: { exchange, _, _ async throws in
            let token = try await exchange.token()
            for _ in 0..<3 { #expect(try await exchange.tool("list_apps", token: token).isError == false) }
            #expect(try await exchange.request("tools/call", ["name": "list_apps"], token: token).status == 429)
        }
    }

    @Test func aToolCountsAgainstTheRateOfItsCall() async throws {
        try await Exchange.runLimited {
            $0[.createLink] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 2))
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token()
            var refusals: [String] = []
            for _ in 0..<3 {
                let result = try await exchange.tool("create_link", ["app": .string(key)], token: token)
                refusals.append(result.isError ? result.text : "")
            }
            #expect(refusals[0...1] == ["", ""])
            #expect(refusals[2].contains("\"code\":429"), "\(refusals[2])")
            #expect(try await exchange.manage(.post, "/api/v1/links?app=\(key)", token: token, [:]).status == 429)
            #expect(try await exchange.tool("list_links", ["app": .string(key)], token: token).isError == false)
        }
    }

    /// A tool's call is counted at the client's own address, not at the proxy's, which all clients share.
    @Test func aToolCountsAtTheAddressOfItsClient() async throws {
        try await Exchange.runLimited {
            $0[.query].address = Rate(perMinute: 2)
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token()
            let call: JSON = [
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": ["name": "run_doctor", "arguments": ["app": .string(key)]],
            ]
            func refusals(from address: String) async throws -> [Bool] {
                var refusals: [Bool] = []
                for _ in 0..<3 {
                    let answer = try await exchange.send(
                        .post, "/mcp", from: address, headers: [.authorization: "Bearer " + token], body: call.bytes)
                    refusals.append(answer.result["isError"] == true)
                }
                return refusals
            }
            #expect(try await refusals(from: "198.51.100.1") == [false, false, true])
            #expect(try await refusals(from: "203.0.113.1") == [false, false, true])
        }
    }
}
