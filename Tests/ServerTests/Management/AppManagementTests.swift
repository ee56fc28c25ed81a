import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct AppManagementTests {
    @Test func anAppIsShownAndChangedWithoutWhatIsNotNamed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            let path = "/api/v1/apps/\(app.app.id)"
            let before = try await exchange.manage(.get, path, token: analyst).object
            let settings = try #require(before["settings"]?.object)

            let changed = try await exchange.manage(
                .patch, path, token: admin, ["name": "Grove", "settings": ["ios_team_id": "ABCDE12345"]])

            #expect(changed.status == 200, "\(changed.body)")
            #expect(changed.object["name"] == "Grove")
            #expect(changed.object["settings"] == .object(settings.merging(["ios_team_id": "ABCDE12345"])))
            let removed = try await exchange.manage(.patch, path, token: admin, ["settings": ["ios_team_id": nil]])
            #expect(removed.object["settings"] == before["settings"])
            #expect(removed.object["name"] == "Grove")
            #expect(try await exchange.manage(.get, path, token: analyst).json == removed.json)
        }
    }

    @Test func aTestKeyChangesOnlyWhatDiffersInTestMode() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let path = "/api/v1/apps/" + app.test.key.branchKey
            let before = try await exchange.manage(.get, path, token: token).object["settings"]

            let changed = try await exchange.manage(.patch, path, token: token, ["settings": ["ios_team_id": "ABCDE12345"]])

            #expect(changed.object["test_settings"] == ["ios_team_id": "ABCDE12345"])
            #expect(changed.object["settings"] == before)
            #expect(try await exchange.manage(.patch, path, token: token, ["name": "Grove"]).status == 403)
        }
    }

    @Test(
        arguments: [
            (["settings": ["ios_teamid": "ABCDE12345"]], "ios_teamid is not a setting of an app. Did you mean ios_team_id?"),
            (["settings": ["web_url": "javascript:x"]], "web_url"), (["settings": "x"], "settings"), (["title": "x"], "title"),
            (["name": ""], "name"),
        ] as [(JSON, String)])
    func aWrongChangeIsRefusedWithTheReasonAndChangesNothing(change: JSON, reason: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let path = "/api/v1/apps/\(app.app.id)"
            let before = try await exchange.manage(.get, path, token: token).json

            let refused = try await exchange.manage(.patch, path, token: token, change)

            #expect(refused.status == 400)
            #expect(refused.body.contains(reason), "\(refused.body)")
            #expect(try await exchange.manage(.get, path, token: token).json == before)
        }
    }

    @Test func allSettingsAreListedWithTheirMeaning() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token(.analyst)
            let listed = try await exchange.manage(.get, "/api/v1/settings", token: token).object["settings"]?.array ?? []
            #expect(listed.compactMap { $0.object?["setting"]?.string } == AppSetting.all.map(\.name))
            #expect(listed.allSatisfy { $0.object?["meaning"]?.string?.isEmpty == false })
        }
    }
}
