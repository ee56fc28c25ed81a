import HTTPTypes
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The messages of the Model Context Protocol, apart from what its tools do.
@Suite struct MCPMessagesTests {
    @Test(arguments: [
        ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"), ("", "2025-11-25"),
    ])
    func aClientOfAnEarlierRevisionNegotiatesIt(wanted: String, agreed: String) async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let params: JSONObject = ["protocolVersion": .string(wanted), "capabilities": [:], "clientInfo": ["name": "test"]]
            let opened = try await exchange.request("initialize", params, token: token)
            #expect(opened.status == 200)
            #expect(opened.object["id"] == 1)
            #expect(opened.result["protocolVersion"]?.string == agreed)
            #expect(opened.result["serverInfo"]?.object?["name"] == "linden")
            #expect(opened.result["capabilities"]?.object?["tools"] == [:])
            #expect(opened.headers[HTTPField.Name("Mcp-Session-Id")!] == nil)

            let headers: HTTPFields = [.mcpRevision: agreed]
            #expect(try await exchange.request("ping", token: token, headers: headers).result == [:])
            let listed = try await exchange.request("tools/list", token: token, headers: headers)
            #expect(listed.toolNames.contains("create_link"))
            #expect(listed.result["resultType"] == nil)
        }
    }

    @Test func aRequestOfTheCurrentRevisionStandsAlone() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let found = try await exchange.request("server/discover", token: token, as: .selfContained)
            #expect(found.status == 200)
            #expect(
                found.result["supportedVersions"] == JSON(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]))
            #expect(found.result["_meta"]?.object?["io.modelcontextprotocol/serverInfo"]?.object?["name"] == "linden")
            let listed = try await exchange.request("tools/list", token: token, as: .selfContained)
            #expect(listed.toolNames.contains("create_link"))
            for result in [found.result, listed.result] {
                #expect(result["resultType"] == "complete")
                #expect(result["ttlMs"] == 60_000)
                #expect(result["cacheScope"] == "private")
            }
            let called = try await exchange.request("tools/call", ["name": "list_apps"], token: token, as: .selfContained)
            #expect(called.result["structuredContent"] == ["apps": []])
            #expect(called.result["resultType"] == "complete")
            #expect(called.result["ttlMs"] == nil)

            for method in ["initialize", "ping", "resources/list"] {
                let answer = try await exchange.request(method, token: token, as: .selfContained)
                #expect(answer.status == 404)
                #expect(answer.mcpError["code"] == -32601)
            }
        }
    }

    private static let differing: [HTTPFields] = [
        [.mcpRevision: "2025-11-25"], [.mcpRevision: "2027-01-01"], [.mcpCall: "tools/list"], [.mcpTool: "list_links"],
    ]

    @Test(arguments: differing)
    func headersThatDifferFromTheBodyAreRefused(headers: HTTPFields) async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let params: JSONObject = ["name": "list_apps"]
            #expect(try await exchange.request("tools/call", params, token: token, as: .selfContained).status == 200)
            let answer = try await exchange.request(
                "tools/call", params, token: token, as: .selfContained, headers: headers)
            #expect(answer.status == 400)
            #expect(answer.mcpError["code"] == -32020)
            #expect(answer.object["id"] == 1)
        }
    }

    @Test func aRevisionThatIsUnknownIsAnsweredWithThoseThatThereAre() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let meta: JSON = [
                "io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": [:],
            ]
            let answers = [
                try await exchange.request("tools/list", token: token, headers: [.mcpRevision: "2030-01-01"]),
                try await exchange.request(
                    "tools/list", ["_meta": meta], token: token, as: .selfContained, headers: [.mcpRevision: "2030-01-01"]),
            ]
            for answer in answers {
                #expect(answer.status == 400)
                #expect(answer.mcpError["code"] == -32022)
                let data = answer.mcpError["data"]?.object
                #expect(data?["requested"] == "2030-01-01")
                #expect(data?["supported"]?.array?.contains("2026-07-28") == true)
            }
        }
    }

    @Test func aRequestOfTheCurrentRevisionNamesItInItsBody() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            for meta: JSON in [[:], ["io.modelcontextprotocol/protocolVersion": "2026-07-28"], 5] {
                let answer = try await exchange.request(
                    "tools/list", ["_meta": meta], token: token, as: .selfContained)
                #expect(answer.status == 400)
                #expect(answer.mcpError["code"] == -32602)
            }
        }
    }

    @Test(arguments: [
        ("{", -32700), ("", -32700), ("5", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600), (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
        ("[]", -32600), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#, -32600),
    ])
    func aBodyThatIsNotOneMessageIsRefused(body: String, code: Int64) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.send(
                .post, "/mcp", headers: [.authorization: "Bearer " + (try await exchange.token())], body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(answer.object["jsonrpc"] == "2.0")
            #expect(answer.mcpError["code"] == .integer(code))
            #expect(answer.result == [:])
        }
    }

    private static let unanswered: [JSON] = [
        ["jsonrpc": "2.0", "method": "notifications/initialized"],
        ["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]],
        ["jsonrpc": "2.0", "method": "tools/call", "params": ["name": "create_link"]], ["jsonrpc": "2.0", "id": 1, "result": [:]],
    ]

    @Test(arguments: unanswered)
    func aMessageWithoutAnAnswerIsOnlyAccepted(json: JSON) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.message(json, token: try await exchange.token())
            #expect(answer.status == 202)
            #expect(answer.bytes == [])
        }
    }

    @Test func anUnknownMethodOrToolIsAnErrorOfTheProtocol() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let cases: [(String, JSONObject, JSON)] = [
                ("resources/list", [:], -32601), ("server/discoverer", [:], -32601), ("tools/call", [:], -32602),
                ("tools/call", ["name": "drop_links"], -32602), ("tools/call", ["name": 5], -32602),
                ("tools/call", ["name": "list_apps", "arguments": []], -32602),
            ]
            for (method, params, code) in cases {
                let answer = try await exchange.request(method, params, token: token)
                #expect(answer.status == 200)
                #expect(answer.mcpError["code"] == code, "\(method) \(params)")
                #expect(answer.object["id"] == 1)
            }
        }
    }

    @Test func aTokenIsCheckedBeforeTheMessageIsRead() async throws {
        try await Exchange.run { exchange in
            let revoked = try await exchange.services.tokens.create(name: "former", role: .admin, app: nil)
            #expect(try await exchange.request("tools/list", token: revoked.secret).status == 200)
            try await exchange.services.tokens.revoke(revoked.token.id)
            for token in [nil, "linden_x", revoked.secret] {
                var headers: HTTPFields = [:]
                if let token { headers[.authorization] = "Bearer " + token }
                for body in [#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "{"] {
                    let answer = try await exchange.send(.post, "/mcp", headers: headers, body: Array(body.utf8))
                    #expect(answer.status == 401)
                    #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                    #expect(answer.errorMessage == "The access token is missing, unknown, expired or revoked.")
                }
            }
        }
    }

    @Test func aPageOfAnotherHostIsRefused() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let origins = [
                ("https://go.example.com", 200), ("http://go.example.com:8080", 200), ("https://evil.example", 403), ("null", 403),
                ("https://go.example.com.evil.example", 403), ("https://go.example.com@evil.example", 403),
            ]
            for (origin, status) in origins {
                for method in ["tools/list", "tools/call"] {
                    let answer = try await exchange.request(
                        method, ["name": "list_apps"], token: token, headers: [.origin: origin])
                    #expect(answer.status == status, "\(origin)")
                }
            }
        }
    }

    @Test func thereAreNoStreamsAndNoSessions() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            for method in [HTTPRequest.Method.get, .delete] {
                let answer = try await exchange.manage(method, "/mcp", token: token)
                #expect(answer.status == 405)
                #expect(answer.headers[.allow] == "POST")
            }
        }
    }
}
