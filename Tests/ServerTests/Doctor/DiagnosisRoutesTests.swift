import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DiagnosisRoutesTests {
    @Test func onlyATokenOfAllAppsLearnsWhatIsWrongWithTheServer() async throws {
        try await Exchange.run(limits: .off) { exchange in
            let app = try await exchange.installation.createApp()
            func checks(_ token: String, _ reference: String) async throws -> [JSONObject] {
                let answer = try await exchange.manage(.get, "/api/v1/doctor?app=" + reference, token: token)
                #expect(answer.status == 200)
                return (answer.object["checks"]?.array ?? []).compactMap(\.object)
            }
            let own = try await checks(exchange.token(.analyst, for: app), "\(app.app.id)")
            let all = try await checks(exchange.token(.analyst), "\(app.app.id)")
            #expect(own.count > 3)
            #expect(own.allSatisfy { $0["app"] == .string("\(app.app.id)") })
            #expect(all.prefix(own.count).elementsEqual(own))
            #expect(all.dropFirst(own.count).map { $0["check"] } == ["server.limits"])
        }
    }

    @Test func anAppIsCheckedOnTheSideThatIsNamed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            for (reference, mode) in [("\(app.app.id)", "live"), (app.test.key.branchKey, "test")] {
                let answer = try await exchange.manage(.get, "/api/v1/doctor?app=" + reference, token: token)
                #expect(answer.object["mode"]?.string == mode)
                #expect(answer.object["name"] == "Orchard")
            }
        }
    }

    @Test func aPreviewIsOfTheVisitorThatIsDescribedAndRecordsNoClick() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.createLink(
                app.live.key.branchKey,
                ["alias": "pears", "data": ["$deeplink_path": "pears/1", "$ios_url": "https://store.example.com/"]])
            let token = try await exchange.token(for: app)
            func preview(_ query: String) async throws -> [JSONObject] {
                let answer = try await exchange.manage(.get, "/api/v1/preview?link=pears" + query, token: token)
                #expect(answer.status == 200, "\(answer.body)")
                return (answer.object["visitors"]?.array ?? []).compactMap(\.object)
            }
            let iPhone = try await preview("&as=iphone")
            #expect(iPhone.count == 1)
            #expect(iPhone[0]["app"] == "orchard://pears/1")
            #expect(try await preview("&as=iphone&has_app=false")[0]["reason"] == "without_app")
            #expect(try await preview("&user_agent=Twitterbot/1.0")[0]["as"] == "custom")
            #expect(try await preview("").count > 10)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 0)
        }
    }
}
