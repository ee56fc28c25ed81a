import Foundation
import HTTPTypes
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Limits that apply before a request is read.
@Suite struct RequestLimitTests {
    @Test func anAddressIsStoppedBeforeItsBodiesAreRead() async throws {
        try await Exchange.runLimited {
            $0[.request].address = Rate(perMinute: 3)
        } _: { exchange, key, secret async throws in
            for _ in 0..<3 { #expect(try await exchange.install(key).status == 200) }
            #expect(try await exchange.send(.post, "/v1/install", body: Array("{".utf8)).status == 429)
        }
    }

    @Test func whatABrowserAsksBeforehandCountsAsARequest() async throws {
        try await Exchange.runLimited {
            $0[.request].address = Rate(perMinute: 2)
        } _: { exchange, _, _ async throws in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await exchange.send(.options, "/v1/open").status) }
            #expect(statuses == [204, 204, 429])
        }
    }

    @Test func aCallAsAScriptIsStoppedBeforeItsDataIsRead() async throws {
        try await Exchange.runLimited {
            $0[.request].address = Rate(perMinute: 3)
        } _: { exchange, key, secret async throws in
            let fields: JSON = ["branch_key": .string(key), "branch_secret": .string(secret)]
            let data = Data(fields.bytes).base64EncodedString()
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await exchange.get("/v1/url?callback=f&data=" + data).status) }
            #expect(statuses == [400, 400, 400, 429, 429])
            #expect(try await exchange.get("/v1/url?callback=f&data=" + data, from: "198.51.100.1").status == 400)
        }
    }

    @Test func aSecretInAnAddressIsLookedForBehindTheLimits() async throws {
        try await Exchange.runLimited {
            $0[.request].address = Rate(perMinute: 2)
        } _: { exchange, key, secret async throws in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await exchange.post("/v1/url?branch_secret=\(secret)", [:]).status) }
            #expect(statuses == [400, 400, 429])
        }
    }
}
