import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DashboardUserTests {
    @Test func aUserIsInvitedSetsAPasswordOnceAndIsActive() async throws {
        try await Installation.run { installation in
            let users = installation.users
            let app = try await installation.createApp().app.id
            let (invited, secret) = try await users.create(name: "ann@orchard.example", role: .support, app: app)
            #expect((invited.status, invited.role, invited.app) == (.invited, .support, app))
            #expect(invited.setUpExpiresAt == installation.clock.now + .seconds(7 * 86400))
            #expect(try await users.user(settingUpWith: secret) == invited)

            let active = try await users.setPassword(orchardPassword, with: secret)
            #expect((active.status, active.setUpExpiresAt, active.id) == (.active, nil, invited.id))
            #expect(try await users.list() == [active])
            try await installation.signIn("ann@orchard.example")

            let again = try await installation.failure { _ = try await users.setPassword("a meadow in bloom", with: secret) }
            let looked = try await installation.failure { _ = try await users.user(settingUpWith: secret) }
            #expect([again.code, looked.code] == [.notFound, .notFound])
            try await installation.signIn("ann@orchard.example")
        }
    }

    @Test func namesThatDifferOnlyInCaseAreTheSame() async throws {
        try await Installation.run { installation in
            let user = try await installation.createUser("Ann@Orchard.example")
            let taken = try await installation.failure {
                _ = try await installation.users.create(name: "ann@orchard.EXAMPLE", role: .admin, app: nil)
            }
            #expect(taken.code == .conflict)
            #expect(try await installation.users.find("ANN@orchard.example") == user)
            #expect(try await installation.signIn("ann@orchard.example").session.user.name == "Ann@Orchard.example")
            #expect(try await installation.users.list().count == 1)
        }
    }

    @Test func aNameBeyondASCIIIsNoUsersWhateverItIsInLowerCase() async throws {
        try await Installation.run { installation in
            try await installation.createUser("ken@orchard.example")
            let spelled = "\u{212A}en@orchard.example"
            #expect(spelled.lowercased() == "ken@orchard.example")
            let unknown = try await installation.failure { _ = try await installation.users.find(spelled) }
            #expect(unknown.code == .notFound)
            #expect(try await installation.refusedSignIn(spelled, orchardPassword).code == .unauthorized)
            try await installation.signIn("KEN@orchard.example")
        }
    }

    @Test(arguments: ["", " ", "ann smith", "ann\n", "ann\u{7F}", "änne", "\u{430}nn", String(repeating: "a", count: 255)])
    func aNameThatIsNoneIsRefused(name: String) async throws {
        try await Installation.run { installation in
            let failure = try await installation.failure {
                _ = try await installation.users.create(name: name, role: .admin, app: nil)
            }
            #expect(failure.code == .invalid)
            #expect(failure.message.contains("1 to 254 ASCII characters"))
            #expect(try await installation.users.list().isEmpty)
        }
    }

    @Test func aUserThatIsNotThereIsNamed() async throws {
        try await Installation.run { installation in
            let users = installation.users
            let unknown = DashboardUser.ID(rawValue: 7)
            let named = try await installation.failure { _ = try await users.find("ann") }
            #expect(named.message == "There is no user named ann.")
            let failures = [
                named, try await installation.failure { _ = try await users.reset(unknown) },
                try await installation.failure { _ = try await users.disable(unknown) },
                try await installation.failure { _ = try await users.enable(unknown) },
            ]
            #expect(failures.allSatisfy { $0.code == .notFound })
        }
    }

    @Test func anInvitationIsValidFor7Days() async throws {
        try await Installation.run { installation in
            let users = installation.users
            let secret = try await users.create(name: "ann", role: .admin, app: nil).secret
            installation.clock.advance(by: .seconds(7 * 86400) - .milliseconds(1))
            _ = try await users.user(settingUpWith: secret)
            installation.clock.advance(by: .milliseconds(1))
            let looked = try await installation.failure { _ = try await users.user(settingUpWith: secret) }
            let set = try await installation.failure { _ = try await users.setPassword(orchardPassword, with: secret) }
            #expect([looked.code, set.code] == [.notFound, .notFound])
            #expect(try await users.find("ann").status == .invited)
        }
    }

    @Test func aResetEndsThePasswordTheSessionsAndTheEarlierSecret() async throws {
        try await Installation.run { installation in
            let users = installation.users
            let user = try await installation.createUser()
            let session = try await installation.signIn().secret
            let (reset, first) = try await users.reset(user.id)
            #expect(reset.status == .invited)
            #expect(try await !installation.isSignedIn(session))
            #expect(try await installation.refusedSignIn("ann", orchardPassword).code == .unauthorized)

            let second = try await users.reset(user.id).secret
            let replaced = try await installation.failure { _ = try await users.setPassword(orchardPassword, with: first) }
            #expect(replaced.code == .notFound)
            _ = try await users.setPassword("a meadow in bloom", with: second)
            try await installation.signIn("ann", "a meadow in bloom")
        }
    }

    @Test func aDisabledUserHasNoSessionsAndCannotSetAPassword() async throws {
        try await Installation.run { installation in
            let users = installation.users
            let user = try await installation.createUser()
            let session = try await installation.signIn().secret
            let secret = try await users.create(name: "ben", role: .analyst, app: nil).secret
            let ben = try await users.find("ben")

            #expect(try await users.disable(user.id).status == .disabled)
            _ = try await users.disable(ben.id)
            installation.clock.advance(by: .seconds(60))
            #expect(try await users.disable(user.id).disabledAt == installation.clock.now - .seconds(60))
            #expect(try await !installation.isSignedIn(session))
            let setUp = try await installation.failure { _ = try await users.setPassword(orchardPassword, with: secret) }
            #expect(setUp.code == .notFound)
            let reset = try await installation.failure { _ = try await users.reset(user.id) }
            #expect(reset.code == .conflict)

            #expect(try await users.enable(user.id).status == .active)
            #expect(try await users.enable(ben.id).status == .invited)
            #expect(try await !installation.isSignedIn(session))
            try await installation.signIn()
            let later = try await installation.failure { _ = try await users.setPassword(orchardPassword, with: secret) }
            #expect(later.code == .notFound)
        }
    }

    /// Two browsers may send the form at the same time.
    @Test func oneSecretSetsOnePasswordEvenAtTheSameTime() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let users = installation.users
            let secret = try await users.create(name: "ann", role: .admin, app: nil).secret
            let set = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask { (try? await users.setPassword("an orchard in bloom \(number)", with: secret)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(set == 1)
        }
    }

    @Test func aSecretThatIsNoneBelongsToNoUser() async throws {
        try await Installation.run { installation in
            let failure = try await installation.failure { _ = try await installation.users.user(settingUpWith: "") }
            #expect(failure.code == .notFound)
        }
    }
}
