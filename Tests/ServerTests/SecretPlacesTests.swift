import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The places of a request in which a secret is accepted or refused.
@Suite struct SecretPlacesTests {
    private static let header = HTTPField.Name("Branch-Secret")!

    @Test func theHeaderDoesWhatTheBodyOrQueryDoes() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, path) = (app.live.key.branchKey, try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"]))
            let link = "/v1/url?url=https://go.example.com\(path)"
            let s2s: JSON = [
                "branch_key": .string(key), "server_to_server": true, "os": "iOS", "os_version": "17.5.1", "app_version": "3.0",
                "model": "iPhone14,5", "ad_tracking_enabled": true, "is_hardware_id_real": true, "hardware_id": "H-2",
                "ip": "192.0.2.1",
            ]
            let credit: JSON = ["branch_key": .string(key), "identity": "ann", "amount": 5]
            let query: JSON = [
                "branch_key": .string(key), "start_date": "2026-12-01", "end_date": "2026-12-02", "data_source": "eo_click",
                "aggregation": "total_count", "dimensions": ["timestamp"],
            ]
            let calls: [(HTTPRequest.Method, String, JSON?)] = [
                (.get, "/v1/app/\(key)", nil), (.put, "/v1/app/\(key)", ["app_name": "Orchard"]),
                (.post, "/v1/credits", credit), (.post, "/v1/redeem", credit), (.post, "/v1/credits", credit),
                (.post, "/v1/reconcile", credit),
                (.get, "/v1/credits?branch_key=\(key)&identity=ann", nil),
                (.get, "/v1/credithistory?branch_key=\(key)&identity=ann", nil),
                (.post, "/v3/export", ["branch_key": .string(key), "export_date": "2026-01-01"]),
                (.get, "/v2/export/\(key)?export_date=2026-01-01", nil), (.post, "/v1/open", s2s),
                (.post, "/v1/query/analytics", query),
                (.put, link, ["branch_key": .string(key), "channel": "sms"]), (.delete, link, ["branch_key": .string(key)]),
            ]
            for (method, target, body) in calls {
                func status(_ secret: String) async throws -> Int {
                    try await exchange.send(method, target, headers: [Self.header: secret], body: body?.bytes).status
                }
                #expect(try await status(app.test.secret) == 400, "\(method) \(target)")
                #expect(try await status(app.live.secret) == 200, "\(method) \(target)")
            }
        }
    }

    @Test func twoDifferentSecretsAreRefused() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let answer = try await exchange.post(
                "/v1/credits",
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.test.secret), "identity": "ann",
                    "amount": 5,
                ], headers: [Self.header: app.live.secret])
            #expect(answer.status == 400 && answer.errorMessage?.contains("Branch-Secret") == true)
        }
    }

    @Test func aSecretInAnAddressIsAcceptedWhereBranchsClientsPutItAndRefusedElsewhere() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, secret) = (app.live.key.branchKey, "branch_secret=\(app.live.secret)")
            for target in [
                "/v1/app/\(key)?\(secret)", "/v1/credits?branch_key=\(key)&identity=ann&\(secret)",
                "/v2/export/\(key)?export_date=2026-01-01&\(secret)",
            ] {
                _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 1])
                #expect(try await exchange.get(target).status == 200, "\(target)")
            }
            let packed = PercentCoding.encodeQueryValue(
                Data(#"{"branch_key":"\#(key)","branch_secret":"\#(app.live.secret)","identity":"ann","amount":1}"#.utf8)
                    .base64EncodedString())
            for target in [
                "/v1/credithistory?branch_key=\(key)&identity=ann&\(secret)",
                "/v1/url?url=https://go.example.com/x&branch_key=\(key)&\(secret)",
                "/v1/credits?callback=f&data=\(packed)", "/v1/redeem?callback=f&post_data=\(packed)",
            ] {
                let answer = try await exchange.get(target)
                #expect(answer.status == 400 && answer.body.contains("Branch-Secret"), "\(target) \(answer.body)")
            }
            let body: JSON = ["branch_key": .string(key), "identity": "ann", "amount": 1]
            #expect(try await exchange.post("/v1/credits?\(secret)", body).errorMessage?.contains("Branch-Secret") == true)
        }
    }
}
