import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import Synchronization
import Testing

@Suite struct SignInTests {
    @Test func aUserSignsInWithNameAndPassword() async throws {
        try await Installation.run { installation in
            let user = try await installation.createUser(role: .editor)
            #expect(user.lastSignInAt == nil)
            installation.clock.advance(by: .seconds(60))
            let (session, secret) = try await installation.signIn("ANN")
            #expect(session.user.lastSignInAt == installation.clock.now)
            #expect((session.user.id, session.user.role) == (user.id, .editor))
            let found = try #require(try await installation.users.session(secret))
            #expect((found.id, found.user, found.createdAt) == (session.id, session.user, session.createdAt))
            #expect(secret.count == 40)
        }
    }

    /// So that a version before a role was added does not take its users for more than they are.
    @Test func aUserOfAnUnknownRoleIsNotSignedIn() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            let secret = try await installation.signIn().secret
            func give(_ role: String) async throws {
                try await installation.storage.write { transaction in
                    try (transaction as! SQLTransaction).connection.execute("UPDATE dashboard_users SET role = \(role)")
                }
            }
            try await give("owner")
            #expect(try await !installation.isSignedIn(secret))
            #expect(try await installation.refusedSignIn("ann", orchardPassword).code == .unauthorized)
            for role in DashboardUser.Role.allCases {
                try await give(role.rawValue)
                #expect(try await installation.isSignedIn(secret))
                try await installation.signIn()
            }
        }
    }

    @Test func aProvidersUserOfAnUnknownRoleIsNotSignedIn() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let isRecorded = try await installation.storage.write { transaction in
                _ = try transaction.linkDashboardUser(user.id, toProviderSubject: "login 42")
                return try [DashboardUser.Role.editor.rawValue, "owner"].map { role in
                    try (transaction as! SQLTransaction).connection.execute("UPDATE dashboard_users SET role = \(role)")
                    return try transaction.recordSignIn(user.id, providerSubject: "login 42", at: transaction.now)
                }
            }
            #expect(isRecorded == [true, false])
        }
    }

    /// Otherwise the message would reveal which names exist.
    @Test func theMessageIsTheSameWhateverIsWrong() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            _ = try await installation.users.create(name: "invited", role: .admin, app: nil)
            let disabled = try await installation.createUser("disabled")
            _ = try await installation.users.disable(disabled.id)
            let failures = [
                try await installation.refusedSignIn("ann", "an orchard in winter", from: "203.0.113.1"),
                try await installation.refusedSignIn("unknown", orchardPassword, from: "198.51.100.1"),
                try await installation.refusedSignIn("invited", orchardPassword, from: "192.0.2.1"),
                try await installation.refusedSignIn("invited", "", from: "192.0.2.1"),
                try await installation.refusedSignIn("disabled", orchardPassword, from: "10.0.0.1"),
                try await installation.refusedSignIn("", "", from: "10.0.1.1"),
                try await installation.refusedSignIn("ann", String(repeating: "x", count: 100_000), from: "10.0.2.1"),
                try await installation.refusedSignIn(String(repeating: "x", count: 100_000), orchardPassword, from: "10.0.3.1"),
            ]
            #expect(Set(failures.map(\.message)) == ["The name or the password is wrong."])
            #expect(failures.allSatisfy { $0.code == .unauthorized && $0.retryAfter == nil })
            #expect(try await installation.users.find("disabled").lastSignInAt == nil)
        }
    }

    /// Otherwise the time would reveal which names exist.
    @Test func aPasswordIsHashedWhetherOrNotTheNameExists() async throws {
        let hasher = CountingHasher()
        try await Installation.run(passwords: hasher) { installation in
            try await installation.createUser()
            let disabled = try await installation.createUser("disabled")
            _ = try await installation.users.disable(disabled.id)
            _ = try await installation.users.create(name: "invited", role: .admin, app: nil)
            for name in ["ann", "unknown", "invited", "disabled"] { _ = try await installation.refusedSignIn(name) }
            #expect(hasher.verifications == [true, false, false, false])
        }
    }

    /// An administrator may disable or reset a user at any moment.
    @Test(arguments: [false, true])
    func aUserWhoIsDisabledOrResetWhileThePasswordIsCheckedIsRefused(isReset: Bool) async throws {
        let step = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let hasher = CountingHasher { try await step.withLock { $0 }?() }
        try await Installation.run(passwords: hasher) { installation in
            let user = try await installation.createUser()
            let users = installation.users
            step.withLock { step in
                step = { if isReset { _ = try await users.reset(user.id) } else { _ = try await users.disable(user.id) } }
            }
            #expect(try await installation.refusedSignIn("ann", orchardPassword).code == .unauthorized)
            #expect(try await users.find("ann").lastSignInAt == nil)
        }
    }
}
