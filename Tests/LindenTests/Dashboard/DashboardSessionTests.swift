import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DashboardSessionTests {
    @Test func aSessionWithoutUseExpiresAfter12Hours() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            let secret = try await installation.signIn().secret
            installation.clock.advance(by: .seconds(12 * 3600) - .milliseconds(1))
            #expect(try await installation.isSignedIn(secret))
            installation.clock.advance(by: .seconds(12 * 3600) - .milliseconds(1))
            #expect(try await installation.isSignedIn(secret))
            installation.clock.advance(by: .seconds(12 * 3600))
            #expect(try await !installation.isSignedIn(secret))
        }
    }

    @Test func aSessionInUseExpiresAfter30Days() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            let (session, secret) = try await installation.signIn()
            #expect(session.expiresAt == installation.clock.now + .seconds(30 * 86400))
            for _ in 0..<59 {
                installation.clock.advance(by: .seconds(12 * 3600) - .milliseconds(1))
                #expect(try await installation.isSignedIn(secret))
            }
            installation.clock.advance(by: .seconds(11 * 3600))
            #expect(try await installation.isSignedIn(secret))
            installation.clock.advance(by: .seconds(3600) + .milliseconds(59))
            #expect(try await !installation.isSignedIn(secret))
        }
    }

    @Test func theUseIsRecordedAtMostOnceAMinute() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            let secret = try await installation.signIn().secret
            func lastUse() async throws -> Timestamp? { try await installation.users.session(secret)?.lastUsedAt }
            let begin = installation.clock.now
            installation.clock.advance(by: .seconds(59))
            _ = try await lastUse()
            #expect(try await lastUse() == begin)
            installation.clock.advance(by: .seconds(1))
            _ = try await lastUse()
            #expect(try await lastUse() == begin + .seconds(60))
            installation.clock.advance(by: .seconds(59))
            _ = try await lastUse()
            #expect(try await lastUse() == begin + .seconds(60))
        }
    }

    /// With a full disk, for example.
    @Test func aSessionIsFoundWhileNothingCanBeWritten() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            let secret = try await installation.signIn().secret
            let broken = HookedStorage(installation.storage) { _ in throw Failure.unavailable("The disk is full.") }
            let users = DashboardUserService(
                storage: broken, passwords: nil, provider: nil, clock: installation.clock.clock, random: .repeatable())
            installation.clock.advance(by: .seconds(3600))
            #expect(try await users.session(secret) != nil)
        }
    }

    @Test func signingOutEndsOneSessionAndSigningOutEverywhereAll() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let ann = try await installation.createUser()
            try await installation.createUser("ben")
            let (first, second, third) = (
                try await installation.signIn().secret, try await installation.signIn().secret,
                try await installation.signIn().secret
            )
            let other = try await installation.signIn("ben").secret
            try await installation.users.signOut(first)
            try await installation.users.signOut("unknown")
            #expect(try await !installation.isSignedIn(first))
            #expect(try await installation.isSignedIn(second))
            try await installation.users.signOutEverywhere(ann.id)
            #expect(try await !installation.isSignedIn(second))
            #expect(try await !installation.isSignedIn(third))
            #expect(try await installation.isSignedIn(other))
        }
    }

    @Test func aNewPasswordEndsAllSessions() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let ann = try await installation.createUser()
            let secret = try await installation.users.reset(ann.id).secret
            _ = try await installation.users.setPassword("a meadow in bloom", with: secret)
            let session = try await installation.signIn("ann", "a meadow in bloom").secret
            let again = try await installation.users.reset(ann.id).secret
            _ = try await installation.users.setPassword(orchardPassword, with: again)
            #expect(try await !installation.isSignedIn(session))
        }
    }

    @Test func aUserHasAtMost50Sessions() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            try await installation.createUser("ben")
            let other = try await installation.signIn("ben").secret
            var secrets: [String] = []
            for _ in 0..<52 {
                secrets.append(try await installation.signIn().secret)
                installation.clock.advance(by: .milliseconds(1))
            }
            for (number, secret) in secrets.enumerated() {
                #expect(try await installation.isSignedIn(secret) == (number >= 2), "\(number)")
            }
            #expect(try await installation.isSignedIn(other))
        }
    }

    @Test(arguments: ["", "unknown", String(repeating: "x", count: 100_000), "' OR 1 = 1 --"])
    func aSecretThatIsNoneFindsNoSession(secret: String) async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            try await installation.createUser()
            try await installation.signIn()
            #expect(try await !installation.isSignedIn(secret))
        }
    }
}
