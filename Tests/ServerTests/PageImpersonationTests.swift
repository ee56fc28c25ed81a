import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// A page that makes its visitor's browser call as the visitor's app does, from the visitor's address.
@Suite struct PageImpersonationTests {
    @Test(arguments: [HTTPField.Name("Origin")!, HTTPField.Name("Sec-Fetch-Site")!])
    func aPageGetsNoLinkThatTheVisitorsAppIsToGet(header: HTTPField.Name) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            for call in ["install", "open"] {
                let form = "branch_key=\(key)&os=iOS&os_version=17.5.1"
                let stolen = try await exchange.send(
                    .post, "/v1/\(call)", from: "203.0.113.7",
                    headers: [header: "https://evil.example", .contentType: "application/x-www-form-urlencoded"],
                    body: Array(form.utf8))
                #expect(stolen.status == 400)
                #expect(stolen.errorMessage?.contains("Web SDK") == true, "\(stolen.body)")
            }
            let own = try await exchange.install(key)
            #expect(try own.data["variety"] == "Cox")
        }
    }

    @Test func aScriptElementGetsNoneEither() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let body: JSON = ["branch_key": .string(key), "os": "iOS", "os_version": "17.5.1"]
            let data = Data(body.bytes).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            let stolen = try await exchange.get("/v1/install?data=\(data)&callback=f", from: "203.0.113.7")
            #expect(!stolen.body.contains("Cox") && stolen.body.contains("Web SDK"), "\(stolen.body)")
            #expect(try await exchange.install(key).data["variety"] == "Cox")
        }
    }

    @Test func theWebSDKOfAPageIsServed() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let opened = try await exchange.send(
                .post, "/v1/open", headers: [HTTPField.Name("Origin")!: "https://orchard.example"],
                body: JSON.object(Exchange.webSDK.merging(["branch_key": .string(key)])).bytes)
            #expect(opened.status == 200)
        }
    }

    @Test func aPageThatLeadsToTheMatchOfABrowserMatchesNothing() async throws {
        for (site, isMatched) in [("none", true), ("cross-site", false), ("same-site", false)] {
            try await Exchange.run { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let click = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
                let cookies = click.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
                _ = try await exchange.get(
                    "/_strong_match?hardware_id=H-1&branch_key=\(key)", from: "192.0.2.50",
                    headers: [.cookie: cookies, HTTPField.Name("Sec-Fetch-Site")!: site])
                let install = try await exchange.install(
                    key, ["hardware_id": "H-1", "is_hardware_id_real": true], from: "192.0.2.50")
                #expect(try (install.data["variety"] == "Cox") == isMatched, "\(site)")
            }
        }
    }
}
