import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Requests with runs of combining marks, whose comparison takes quadratic time.
@Suite struct CombiningMarksRoutesTests {
    private static let marks = String(repeating: "\u{301}\u{316}", count: 30_000)
    /// As many as fit into an address.
    private static let encoded = String(repeating: "%CC%81%CC%96", count: 5_000)
    /// As many as fit into a path.
    private static let encodedPath = String(repeating: "%CC%81%CC%96", count: 600)

    @Test func aBodyWithThemIsRefusedAndNothingIsStored() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let names: [JSONObject] = [
                ["name": .string(Self.marks)], ["event": "pear", "identity": .string(Self.marks)],
                ["event": "pear", "metadata": [Self.marks: 1]],
            ]
            for fields in names {
                let answer = try await exchange.post("/v1/event", .object(fields.merging(["branch_key": .string(key)])))
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains("more than 30 combining marks") == true)
            }
            let link = try await exchange.post("/v1/url", ["branch_key": .string(key), "alias": "pears", "data": [Self.marks: 1]])
            #expect(link.status == 400)
            #expect(try await exchange.get("/pears").status == 404)
        }
    }

    @Test func aFormWithThemIsRefused() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for field in ["name=\(Self.marks)", "name=\(Self.encoded)", "\(Self.encoded)=1", "event=pear&identity=\(Self.marks)"] {
                let answer = try await exchange.send(.post, "/v1/event", body: Array("branch_key=\(key)&\(field)".utf8))
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains("at most 30 combining marks") == true)
            }
        }
    }

    @Test(arguments: ["/v1/credits?identity=", "/v1/url?url=", "/_strong_match?a=", "/api/v1/links?", "/v1/"])
    func aCallWithThemInItsAddressIsRefused(call: String) async throws {
        try await Exchange.run { exchange in
            let marks = call.contains("?") ? Self.encoded : Self.encodedPath
            let answer = try await exchange.get(call + marks, headers: [.accept: "application/json"])
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains("at most 30 combining marks") == true)
        }
    }

    @Test func aVisitWithThemInItsAddressIsRefused() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            for beginning in [path + "?~channel=", "/a/\(key)?a=1&"] {
                #expect(try await exchange.get(beginning + Self.encoded).status == 400)
            }
            for beginning in ["/", path + "/"] {
                #expect(try await exchange.get(beginning + Self.encodedPath).status == 400)
            }
        }
    }

    @Test func aURLWithThemInABodyIsThatOfNoLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let url = "https://go.example.com/" + String(repeating: "%CC%81%CC%96", count: 500)
            let answer = try await exchange.install(key, ["universal_link_url": .string(url)], from: "192.0.2.8")
            #expect(answer.status == 200)
            #expect(try answer.data["+clicked_branch_link"] == false)
        }
    }

    @Test(arguments: ["Origin", "Sec-Fetch-Dest", "Accept-Language", "Cookie", "X-Forwarded-For"])
    func aHeaderWithThemIsCutBeforeItIsCompared(name: String) throws {
        let connection = try ParsedConnection()
        let run = String(repeating: "\u{301}\u{316}", count: 1000)
        connection.send("GET /pear HTTP/1.1\r\nHost: go.example.com\r\n\(name): a\(run), 192.0.2.8\r\n\r\n")
        let heads = try connection.heads()
        let head = try #require(heads.first)
        let value = try #require(head.headerFields[HTTPField.Name(name)!])
        #expect(!CombiningMarks.hasLongRun(value))
        #expect(value.hasSuffix(", 192.0.2.8"))
    }

    @Test func anUnencodedPathWithThemIsNotReadAsARequest() throws {
        let connection = try ParsedConnection()
        connection.send("GET /\(String(repeating: "\u{301}\u{316}", count: 1000)) HTTP/1.1\r\nHost: go.example.com\r\n\r\n")
        #expect(try connection.heads().isEmpty)
        #expect(try connection.received().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
}
