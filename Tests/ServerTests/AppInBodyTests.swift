import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Calls with an access token name their app in the query, in the body, or in both, as Branch's clients do.
@Suite struct AppInBodyTests {
    private static let orders: [(path: String, body: JSONObject)] = [
        ("/v2/logs", ["report_type": "eo_click", "start_date": "2027-01-14", "end_date": "2027-01-15", "fields": ["id"]]),
        (
            "/v2/analytics",
            [
                "start_date": "2027-01-14", "end_date": "2027-01-15", "data_source": "eo_click", "aggregation": "total_count",
                "dimensions": ["platform"],
            ]
        ),
        (
            "/v1/branch_aggregate/async/analytics",
            [
                "start_date": "2027-01-14", "end_date": "2027-01-15",
                "aggregations": [["field_name": "total_count", "data_source": "eo_click"]],
            ]
        ),
        ("/v2/data/ready", ["date": "2027-01-14 00:00:00"]),
        (
            "/v1/gdpr",
            ["subject_request_type": "access", "subject_identities": [["identity_type": "DEVELOPER_ID", "identity_value": "ann"]]]
        ),
    ]

    @Test func aQueryByKeyMayNameItsAppToo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let answer = try await exchange.post(
                "/v1/query/analytics",
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
                    "app_id": .string("\(app.app.id)"), "organization_id": "12345", "start_date": "2027-01-14",
                    "end_date": "2027-01-15", "data_source": "eo_click", "aggregation": "total_count", "dimensions": [],
                ])
            #expect(answer.status == 200, "\(answer.body)")
        }
    }

    @Test(arguments: orders)
    func theAppMayStandInTheQueryInTheBodyOrInBoth(path: String, body: JSONObject) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().app.id
            let token = try await exchange.services.tokens.create(name: "all", role: .analyst, app: nil).secret
            let headers: HTTPFields = [HTTPField.Name("Access-Token")!: token]
            func order(_ query: String, _ members: JSONObject) async throws -> Exchange.Answer {
                try await exchange.post(path + query, .object(body.merging(members)), headers: headers)
            }
            let named: JSONObject = ["app_id": .string("\(app)"), "organization_id": "12345"]
            for (query, members) in [("?app_id=\(app)", [:]), ("", named), ("?app_id=\(app)&organization_id=12345", named)] {
                let answer = try await order(query, members)
                #expect(answer.status == 200, "\(query) \(members): \(answer.body)")
            }
            #expect(try await order("", ["app_id": .integer(app.rawValue)]).status == 200)
            let two = try await order("?app_id=\(app)", ["app_id": "123456789012345678"])
            #expect(two.status == 400)
            #expect(two.errorMessage?.contains("the same in the query and the body") == true)
            #expect(try await order("", ["app_id": "orchard"]).errorMessage?.contains("must be the number of an app") == true)
            let none = try await order("", ["organization_id": "12345"])
            #expect(none.status == 400)
            #expect(none.errorMessage?.contains("app_id is missing") == true)
        }
    }

    @Test func aLinkIsDeletedByAnAppInTheBody() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            let token = try await exchange.services.tokens.create(name: "ci", role: .admin, app: nil).secret
            let answer = try await exchange.send(
                .delete, "/v1/url?url=https://go.example.com\(path)", headers: [HTTPField.Name("Access-Token")!: token],
                body: JSON.object(["app_id": .string("\(app.app.id)")]).bytes)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(try await exchange.get(path).status == 404)
        }
    }

    @Test func whatIsAskedOfAnotherAppThanTheTokensIsRefused() async throws {
        try await Exchange.run { exchange in
            let own = try await exchange.installation.createApp().app.id
            let other = try await exchange.installation.createApp().app.id
            let token = try await exchange.services.tokens.create(name: "own", role: .analyst, app: own).secret
            for (path, body) in Self.orders {
                let answer = try await exchange.post(
                    path, .object(body.merging(["app_id": .string("\(other)")])), headers: [HTTPField.Name("Access-Token")!: token])
                #expect(answer.status == 403, "\(path): \(answer.body)")
            }
        }
    }
}
