import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct BadInputTests {
    @Test(arguments: [
        "", "x", "[]", "5", "\"a\"", "null", "{", "{\"branch_key\":", "{'a':1}", "{\"a\":01}", "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\0\"}",
        String(repeating: "[", count: 10_000), "{\"data\":" + String(repeating: "{\"a\":", count: 10_000),
    ])
    func whatIsNotAnObjectIsRefused(body: String) async throws {
        try await Exchange.run { exchange in
            for target in ["/v1/url", "/v1/install", "/v1/open", "/v1/close"] {
                let answer = try await exchange.send(.post, target, body: Array(body.utf8))
                #expect(answer.status == 400)
                #expect(answer.errorCode == 400)
                #expect(answer.errorMessage?.isEmpty == false)
            }
        }
    }

    @Test(arguments: ["1", "[1]", "{\"\":1}"])
    func aBodyOfMoreThanFiftyThousandValuesIsRefused(value: String) async throws {
        try await Exchange.run { exchange in
            let body = "{\"data\":[" + Array(repeating: value, count: 50_000).joined(separator: ",") + "]}"
            for target in ["/v1/url", "/v2/event/custom"] {
                let answer = try await exchange.send(.post, target, body: Array(body.utf8))
                #expect(answer.status == 413)
                #expect(answer.errorMessage?.contains("at most 50000 JSON values") == true)
            }
        }
    }

    @Test func whatIsNotUTF8IsRefused() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.send(
                .post, "/v1/url", body: Array("{\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains("UTF-8") == true)
        }
    }

    @Test func rawControlCharactersInsideStringsAreAccepted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body = "{\"branch_key\":\"\(key)\",\"alias\":\"pears\",\"data\":{\"note\":\"one\u{1}two\u{1F}\"}}"
            #expect(try await exchange.send(.post, "/v1/url", body: Array(body.utf8)).status == 200)
            let read = try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com/pears")
            #expect(read.object["data"]?.object?["note"] == "one\u{1}two\u{1F}")
        }
    }

    @Test(arguments: [nil, "", "key_live_unknown", 5, ["a"]] as [JSON])
    func anUnknownKeyIsA400AsAtBranch(key: JSON) async throws {
        try await Exchange.run { exchange in
            for target in ["/v1/url", "/v1/install", "/v1/open", "/v1/close"] {
                let answer = try await exchange.post(target, ["branch_key": key])
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains("branch_key") == true)
            }
        }
    }

    @Test func aDeletedAppsKeyIsRefusedAndItsLinksLeadNowhere() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            _ = try await exchange.get(path)
            try await exchange.services.apps.delete(app.app.id)
            #expect(try await exchange.post("/v1/url", ["branch_key": .string(app.live.key.branchKey)]).status == 400)
            #expect(try await exchange.get(path).status == 404)
        }
    }

    private static let wrongFields: [(field: String, value: JSON)] = [
        ("data", ["a"]), ("data", 5), ("data", "not json"), ("data", "[1]"), ("data", true), ("channel", ["a"]),
        ("channel", 5), ("alias", 5), ("tags", ["a": 1]), ("tags", [["a"]]), ("type", 3), ("type", "x"), ("type", -1),
        ("duration", "x"),
        ("duration", -1), ("identity", ["a"]), ("channel", .string(String(repeating: "x", count: 129))),
        ("tags", [.string(String(repeating: "x", count: 65))]), ("identity", .string(String(repeating: "x", count: 128))),
        ("alias", .string(String(repeating: "x", count: 129))), ("domain", "foreign.example"),
    ]

    @Test(arguments: wrongFields)
    func aWrongFieldIsRefusedByName(field: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), .init(field): value])
            #expect(answer.status == 400)
            #expect(answer.errorCode == 400)
            #expect(answer.errorMessage?.contains(field) == true)
        }
    }

    @Test(arguments: [
        "/a", "a", "a/b", "e/x", "v1", "V1/x", "api/x", "_r", "_strong_match", ".well-known/x", ".hidden", "healthz", "sdk",
        "metrics", "dashboard", "dashboard/set-up",
        "x/../y", "./x", "x/.", "x//y", "x/", "one two", "tab\t", "new\nline", "null\0", "q?x", "h#x", "p%41", "back\\slash",
        "<script>",
        "apple-app-site-association", "favicon.ico", "robots.txt",
        "google1a2b3c.html", "Google1a2b3c.HTML", "BingSiteAuth.xml", "yandex_1a2b.html", "pinterest-1a2b.html", "crossdomain.xml",
        "clientaccesspolicy.xml", "humans.txt", "llms.txt", "manifest.json", "sw.js",
    ])
    func anAliasWithAForbiddenFormIsRefused(alias: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), "alias": .string(alias)])
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains("alias") == true || alias.contains("\0"))
        }
    }

    @Test func aBodyOfMoreThanHalfAMegabyteIsRefused() async throws {
        try await Exchange.run { exchange in
            let body = Array(repeating: UInt8(ascii: " "), count: (512 << 10) + 1)
            let answer = try await exchange.send(.post, "/v1/url", body: body)
            #expect(answer.status == 413)
            #expect(answer.errorCode == 413)
        }
    }

    @Test func anAddressOfAMegabyteIsRefused() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(
                "/x?" + String(repeating: "a", count: 1 << 20), headers: [.accept: "application/json"])
            #expect(answer.status == 414)
            #expect(answer.errorCode == 414)
        }
    }

    /// The longest alias, percent-encoded, is shorter.
    @Test func aPathOfMoreThan16KilobytesIsRefused() async throws {
        try await Exchange.run { exchange in
            for (length, status) in [(16_384, 404), (16_385, 414), (60_000, 414)] {
                let path = "/" + String(repeating: "a", count: length - 1)
                let answer = try await exchange.get(path + "?pear=1", headers: [.accept: "application/json"])
                #expect(answer.status == status)
                let connection = try await VisitConnection(exchange)
                try await connection.get(path)
                #expect(try await connection.forwarded() != nil || status == 404)
                try await connection.close()
            }
        }
    }

    @Test(arguments: ["/v1/nothing", "/v2/nothing", "/v1", "/api/v1/x"])
    func anUnknownCallIsAJSONError(path: String) async throws {
        try await Exchange.run { exchange in
            for answer in [try await exchange.get(path), try await exchange.post(path, [:])] {
                #expect(answer.status == 404)
                #expect(answer.errorCode == 404)
            }
        }
    }

    @Test(arguments: ["/%00", "/%FF%FE", "/..", "/%2e%2e/x", "/a%0d%0ab", "/💣"])
    func aStrangePathIsAnUnknownLink(path: String) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(path)
            #expect(answer.status == 404)
        }
    }
}
