import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct PasswordRulesTests {
    private static let refused = [
        ("", "at least 12 characters"), ("elevenchars", "at least 12 characters"),
        // Six characters in twelve code points.
        ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "at least 12 characters"),
        (String(repeating: "x", count: 201), "at most 200 bytes"), (String(repeating: "é", count: 101), "at most 200 bytes"),
        ("Ann@Orchard.EXAMPLE", "not be the user's name"),
    ]

    @Test(arguments: refused)
    func aPasswordThatIsNotAllowedConsumesNothing(password: String, says: String) async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let secret = try await installation.users.create(name: "ann@orchard.example", role: .admin, app: nil).secret
            let failure = try await installation.failure { _ = try await installation.users.setPassword(password, with: secret) }
            #expect(failure.code == .invalid)
            #expect(failure.message.contains(says))
            #expect(try await installation.users.find("ann@orchard.example").status == .invited)
            _ = try await installation.users.setPassword(orchardPassword, with: secret)
        }
    }

    @Test(arguments: [
        "twelve chars", String(repeating: "x", count: 200), String(repeating: "é", count: 100), "            ",
        "ann@orchard.example2",
        "🌳🌳🌳🌳🌳🌳🌳🌳🌳🌳🌳🌳",
    ])
    func aLongPasswordOfAnyCharactersIsAllowed(password: String) async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let secret = try await installation.users.create(name: "ann@orchard.example", role: .admin, app: nil).secret
            _ = try await installation.users.setPassword(password, with: secret)
            try await installation.signIn("ann@orchard.example", password)
        }
    }

    /// Keyboards and systems write é as one code point or as two.
    @Test func aPasswordMayBeTypedInAnotherNormalizationForm() async throws {
        try await Installation.run { installation in
            let secret = try await installation.users.create(name: "ann", role: .admin, app: nil).secret
            _ = try await installation.users.setPassword("caf\u{E9} in the orchard", with: secret)
            try await installation.signIn("ann", "cafe\u{301} in the orchard")
            #expect(try await installation.refusedSignIn("ann", "cafe in the orchard").code == .unauthorized)
        }
    }

    @Test func aBuildWithoutPasswordsSaysSo() async throws {
        try await Installation.run(passwords: nil) { installation in
            let secret = try await installation.users.create(name: "ann", role: .admin, app: nil).secret
            let signIn = try await installation.refusedSignIn()
            let set = try await installation.failure {
                _ = try await installation.users.setPassword(orchardPassword, with: secret)
            }
            for failure in [signIn, set] {
                #expect(failure.message.contains("built without passwords (package trait Passwords)"))
            }
        }
    }
}
