import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The users of the dashboard, and ordered exports, in the management API.
@Suite struct UserManagementTests {
    @Test func aUserIsInvitedSignsInAndIsDisabled() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token()
            let invited = try await exchange.manage(
                .post, "/api/v1/users", token: token,
                ["name": "ann@orchard.example", "role": "editor", "app": .string(app.live.key.branchKey)]
            ).object
            #expect(invited["status"] == "invited" && invited["app_id"]?.string == "\(app.app.id)")
            let address = try #require(invited["set_up_url"]?.string)
            #expect(address.hasPrefix("https://go.example.com/dashboard/set-up/"))
            let secret = String(address.suffix(40))
            _ = try await exchange.services.dashboardUsers.setPassword(DashboardBrowser.password, with: secret)
            var browser = DashboardBrowser(exchange)
            #expect(try await browser.signIn("ann@orchard.example").status == 303)

            let listed = try await exchange.manage(.get, "/api/v1/users", token: token)
            #expect(listed.object["users"]?.array?.map { $0.object?["name"] } == ["ann@orchard.example"])
            #expect(!listed.body.contains(secret))
            let path = "/api/v1/users/\(invited["user_id"]?.string ?? "")"
            #expect(try await exchange.manage(.patch, path, token: token, ["disabled": true]).object["status"] == "disabled")
            #expect(try await browser.get("/dashboard").status == 303, "The session has ended.")
            #expect(try await exchange.manage(.patch, path, token: token, ["disabled": false]).object["status"] == "active")
        }
    }

    @Test func aResetRemovesThePasswordAndShowsANewAddress() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let (user, secret) = try await exchange.services.dashboardUsers.create(name: "ann", role: .admin, app: nil)
            _ = try await exchange.services.dashboardUsers.setPassword(DashboardBrowser.password, with: secret)
            var browser = DashboardBrowser(exchange)
            #expect(try await browser.signIn("ann").status == 303)

            let path = "/api/v1/users/\(user.id)/resets"
            let reset = try await exchange.manage(.post, path, token: token, [:]).object
            #expect(reset["status"] == "invited")
            let address = try #require(reset["set_up_url"]?.string)
            #expect(address.hasPrefix("https://go.example.com/dashboard/set-up/") && !address.hasSuffix(secret))
            #expect(try await browser.get("/dashboard").status == 303, "The session has ended.")

            #expect(try await exchange.manage(.post, path, token: token, ["name": "ann"]).status == 400)
            #expect(try await exchange.manage(.post, "/api/v1/users/1/resets", token: token, [:]).status == 404)
            _ = try await exchange.services.dashboardUsers.disable(user.id)
            #expect(try await exchange.manage(.post, path, token: token, [:]).status == 409, "A disabled user is enabled first.")
        }
    }

    @Test(
        arguments: [
            ([:], 400), (["name": "ben"], 400), (["name": "ben", "role": "owner"], 400), (["name": "", "role": "admin"], 400),
            (["name": "ben", "role": "admin", "password": "x"], 400), (["name": "ann", "role": "admin"], 409),
            (["name": "ben", "role": "admin", "app": "key_live_none"], 404),
        ] as [(JSON, Int)])
    func aWrongInvitationIsRefused(body: JSON, status: Int) async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.services.dashboardUsers.create(name: "ann", role: .admin, app: nil)
            let answer = try await exchange.manage(.post, "/api/v1/users", token: try await exchange.token(), body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(try await exchange.services.dashboardUsers.list().count == 1)
        }
    }

    @Test func aWrongChangeIsRefused() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let user = try await exchange.services.dashboardUsers.create(name: "ann", role: .admin, app: nil).user.id
            #expect(try await exchange.manage(.patch, "/api/v1/users/\(user)", token: token, ["role": "editor"]).status == 400)
            #expect(try await exchange.manage(.patch, "/api/v1/users/\(user)", token: token, [:]).status == 400)
            for id in ["ann", "1"] {
                #expect(try await exchange.manage(.patch, "/api/v1/users/\(id)", token: token, ["disabled": true]).status == 404)
            }
            let app = try await exchange.installation.createApp()
            for (role, app) in [(.analyst, nil), (.admin, app)] as [(Role, CreatedApp?)] {
                let other = try await exchange.token(role, for: app)
                #expect(try await exchange.manage(.get, "/api/v1/users", token: other).status == 403)
            }
        }
    }

    @Test func anExportIsOrderedListedAndFetched() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.get(try await exchange.createLink(app.test.key.branchKey))
            exchange.installation.clock.advance(by: .seconds(3))
            let token = try await exchange.token(.analyst, for: app)
            let target = "/api/v1/exports?app=" + app.test.key.branchKey
            let ordered = try await exchange.manage(
                .post, target, token: token, ["report_type": "eo_click", "start_date": "today", "end_date": "today"]
            ).object
            #expect(ordered["status"] == "running" && ordered["topic"] == "eo_click" && ordered["url"] == .null)
            try await exchange.services.exports.runJobs()
            let listed = try #require(
                try await exchange.manage(.get, target, token: token).object["exports"]?.array?.first?.object)
            #expect(listed["handle"] == ordered["handle"] && listed["status"] == "complete" && listed["rows"] == 1)
            let url = try #require(listed["url"]?.string)
            let file = try await exchange.get(url.replacing("https://go.example.com", with: ""))
            #expect(file.status == 200 && file.body.split(separator: "\r\n").count == 2)
            #expect(
                try await exchange.manage(.get, "/api/v1/exports?app=\(app.app.id)", token: token).object["exports"]?.array == [],
                "The live side has none.")
            let wrong = try await exchange.manage(.post, target, token: token, ["report_type": "eo_click"])
            #expect(wrong.status == 400 && wrong.errorMessage?.hasPrefix("start_date and end_date are missing") == true)
        }
    }
}
