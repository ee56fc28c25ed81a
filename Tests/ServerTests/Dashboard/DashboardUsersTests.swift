import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The users of the dashboard, in the dashboard.
@Suite struct DashboardUsersTests {
    @Test func anAdministratorInvitesAUserWhoThenSignsIn() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            #expect(try await browser.get("/dashboard").body.contains(#"<a href="/dashboard/users">Users</a>"#))
            let answer = try await browser.submit(
                "/dashboard/users", ["name": "bob", "role": "support", "app": "\(app.app.id)"])
            let secret = try #require(answer.body.firstMatch(of: /https:\/\/go\.example\.com\/dashboard\/set-up\/(\w{40})/)).1
            let user = try await exchange.services.dashboardUsers.find("bob")
            #expect(user.role == .support && user.app == app.app.id && user.status == .invited)

            var other = DashboardBrowser(exchange)
            let password = DashboardBrowser.password
            let set = try await other.submit("/dashboard/set-up/\(secret)", ["password": password, "repeated": password])
            #expect(set.status == 303)
            let list = try await browser.get("/dashboard/users").body
            #expect(list.contains("active") && !list.contains(String(secret)))

            _ = try await browser.submit("/dashboard/users/\(user.id)/disable")
            #expect(try await other.get("/dashboard").status == 303)
            _ = try await browser.submit("/dashboard/users/\(user.id)/enable")
            #expect(try await other.signIn("bob").status == 303)
            #expect(try await browser.submit("/dashboard/users/\(user.id)/reset").body.contains("/dashboard/set-up/"))
            #expect(try await other.get("/dashboard").status == 303)
        }
    }

    @Test(arguments: [("", "support"), ("ann@orchard.example", "support"), ("two words", "support"), ("bob", "owner")])
    func aMistakeInvitesNoUser(name: String, role: String) async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit("/dashboard/users", ["name": name, "role": role, "app": ""])
            #expect([400, 409].contains(answer.status) && answer.body.contains("fault-"))
            #expect(try await exchange.services.dashboardUsers.list().count == 1)
        }
    }

    @Test func noUserIsLockedOutByItself() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let user = try await exchange.services.dashboardUsers.find("ann@orchard.example")
            for action in ["reset", "disable", "enable"] {
                #expect(try await browser.submit("/dashboard/users/\(user.id)/\(action)").status == 403)
            }
            #expect(try await browser.get("/dashboard").status == 200)
        }
    }
}
