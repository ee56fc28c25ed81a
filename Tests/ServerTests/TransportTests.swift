import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@testable import Server

/// The encodings in which browsers and SDKs send a call.
@Suite struct TransportTests {
    @Test func aFormIsAsGoodAsJSON() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let form = "branch_key=\(key)&alias=pears&tags=a&tags=b&type=0&&channel=e+mail&data=%7B%22variety%22%3A%22Cox%22%7D&"
            let created = try await exchange.send(
                .post, "/v1/url", headers: [.contentType: "application/json"], body: Array(form.utf8))
            #expect(created.object["url"] == "https://go.example.com/pears")
            let read = try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com/pears")
            #expect(read.object["tags"] == ["a", "b"])
            #expect(read.object["channel"] == "e mail")
            #expect(read.object["data"]?.object?["variety"] == "Cox")
        }
    }

    @Test func aSlashTooManyBeforeACallIsNone() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("//v1/open", ["branch_key": .string(key)])
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["data", "post_data"])
    func aScriptMayMakeEveryCall(name: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body: JSON = ["branch_key": .string(key), "tags": ["a"], "channel": nil, "data": ["line": "\u{2028}"]]
            let base64 = Data(body.bytes).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            let answer = try await exchange.get("/v1/url?&\(name)=\(base64)&callback=branch_callback__0")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType]?.hasPrefix("text/javascript") == true)
            #expect(answer.body.hasPrefix("/**/branch_callback__0({\"url\":\"https://go.example.com/"))
            #expect(answer.body.hasSuffix("});"))
        }
    }

    @Test(arguments: [
        ("{}", "{}"), ("\u{2027}\u{2028}\u{2029}\u{202A}", "\u{2027}\\u2028\\u2029\u{202A}"), ("a\u{2028}", "a\\u2028"),
        ("\u{2028}\u{301}", "\\u2028\u{301}"), ("", ""),
    ])
    func aScriptHasNoLineSeparators(json: String, script: String) {
        #expect(JSONPCall.escapingLineSeparators(in: Array(json.utf8)) == Array(script.utf8))
    }

    @Test(arguments: ["alert(1)//", "a;b", "", "a-b", "<script>"])
    func aCallbackIsANameOrNone(callback: String) async throws {
        try await Exchange.run { exchange in
            let encoded = callback.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            let answer = try await exchange.get("/healthz?callback=\(encoded)")
            #expect(answer.body == #"{"status":"ok"}"#)
        }
    }

    @Test func aPageOnAnotherOriginMayReadAnswersAndErrors() async throws {
        try await Exchange.run { exchange in
            for target in ["/v1/url", "/healthz", "/nothing"] {
                let answer = try await exchange.get(target, headers: [.origin: "https://shop.example"])
                #expect(answer.headers[.accessControlAllowOrigin] == "https://shop.example")
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
                #expect(answer.headers[.vary]?.hasSuffix("Origin") == true)
            }
            let plain = try await exchange.get("/healthz")
            #expect(plain.headers[.accessControlAllowOrigin] == "*")
            #expect(plain.headers[.accessControlAllowCredentials] == nil)
        }
    }

    @Test(arguments: [
        ("/_r", true), ("//_r", true), ("/_r?callback=f", true), ("/_strong_match", true), ("/v1/has-app/key_live_x", true),
        ("/v1/has-app", false), ("/v1/open", false), ("/_r/more", false), ("/pears", false), ("/pears?_r", false), ("/", false),
    ])
    func aPageOnAnotherOriginSendsItsCookiesOnlyWithCallsThatIdentifyABrowser(target: String, isAllowed: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            for method in [HTTPRequest.Method.get, .options] {
                let answer = try await exchange.send(method, target, headers: [.origin: "https://shop.example"])
                #expect(answer.headers[.accessControlAllowOrigin] == "https://shop.example")
                #expect(answer.headers[.accessControlAllowCredentials] == (isAllowed ? "true" : nil), "\(method)")
            }
        }
    }

    @Test func whatABrowserAsksBeforehandIsAnswered() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.send(
                .options, "/v1/open",
                headers: [
                    .origin: "https://shop.example", .accessControlRequestMethod: "POST",
                    .accessControlRequestHeaders: "content-type,x-a",
                ])
            #expect(answer.status == 204)
            #expect(answer.headers[.accessControlAllowOrigin] == "https://shop.example")
            #expect(answer.headers[.accessControlAllowHeaders] == "content-type,x-a")
            #expect(answer.headers[.accessControlAllowMethods]?.contains("POST") == true)
        }
    }

    @Test func anEndlessListOfHeadersIsNotRepeated() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.send(
                .options, "/v1/open",
                headers: [.origin: "https://shop.example", .accessControlRequestHeaders: String(repeating: "x-a,", count: 15_000)])
            #expect(answer.status == 204)
            #expect(answer.headers[.accessControlAllowHeaders]?.hasPrefix("Content-Type, Authorization") == true)
            #expect(answer.headers[.accessControlAllowHeaders]?.contains("x-a") == false)
        }
    }
}
