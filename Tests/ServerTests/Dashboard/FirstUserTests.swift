import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The user that a first start invites.
@Suite struct FirstUserTests {
    @Test func eachStartReplacesTheAddressUntilThePasswordIsSet() async throws {
        try await Installation.run { installation in
            let users = installation.services.dashboardUsers
            let first = try #require(try await users.firstUserSecret())
            let second = try #require(try await users.firstUserSecret())
            #expect(first != second)
            #expect(try await users.list().map(\.name) == ["admin"])
            await #expect(throws: Failure.self) { try await users.user(settingUpWith: first) }
            let user = try await users.setPassword(DashboardBrowser.password, with: second)
            #expect(user.role == .admin && user.app == nil)
            #expect(try await users.firstUserSecret() == nil)
        }
    }

    @Test func whereThereAreUsersNoneIsInvited() async throws {
        try await Installation.run { installation in
            let users = installation.services.dashboardUsers
            let user = try await users.create(name: "ann", role: .support, app: nil).user
            #expect(try await users.firstUserSecret() == nil)
            _ = try await users.disable(user.id)
            #expect(try await users.firstUserSecret() == nil)
            #expect(try await users.list().map(\.name) == ["ann"])
        }
    }

    @Test func aBuildWithoutPasswordsInvitesNoUser() async throws {
        try await Installation.run(passwords: nil) { installation in
            let users = installation.services.dashboardUsers
            let secret = try await users.firstUserSecret()
            let list = try await users.list()
            #expect(secret == nil && list.isEmpty)
        }
    }
}
