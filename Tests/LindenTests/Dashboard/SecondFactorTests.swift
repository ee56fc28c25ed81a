import Linden
import LindenKernel
import LindenTesting
import Testing

@testable import LindenServices

/// The second factor of users of the dashboard.
@Suite struct SecondFactorTests {
    /// RFC 6238, appendix B, of which the last six digits count here.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func codesAreThoseOfTheStandard(seconds: Int64, code: String) {
        let totp = TOTP(secret: Array("12345678901234567890".utf8))
        #expect(totp.code(at: Timestamp(milliseconds: seconds * 1000)) == code)
        #expect(totp.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" && TOTP(text: totp.text.lowercased()) == totp)
    }

    @Test func theAddressOfTheQRCodeNamesUserAndServer() {
        let totp = TOTP(secret: Array("12345678901234567890".utf8))
        #expect(
            totp.url(name: "ann@orchard.example", issuer: "Linden go.example.com")
                == "otpauth://totp/Linden%20go.example.com:ann%40orchard.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Linden%20go.example.com")
        #expect(TOTP(text: "GEZDGNBV") == nil && TOTP(text: "not base32!") == nil)
    }

    @Test func aSignInNeedsACodeOnceItIsSetUp() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let (totp, _) = try await installation.setUpSecondFactor(user)
            let ticket = try await installation.ticket()
            let wrong = try await installation.refusedCode(ticket, "000000")
            #expect(wrong.code == .unauthorized && wrong.message.contains("The code is wrong"))
            installation.clock.advance(by: .seconds(30))
            let code = totp.code(at: installation.clock.now)
            let session = try await installation.endSignIn(ticket, code.prefix(3) + " " + code.suffix(3))
            #expect(try await installation.isSignedIn(session.secret) && session.session.user.hasSecondFactor)
        }
    }

    @Test func aCodeIsAcceptedOnceAndOnlyNow() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let (totp, _) = try await installation.setUpSecondFactor(user)
            let first = totp.code(at: installation.clock.now)
            #expect(try await installation.refusedCode(installation.ticket(), first).code == .unauthorized, "It set the factor up.")
            installation.clock.advance(by: .seconds(300))
            let now = installation.clock.now
            for time in [now - .seconds(60), now + .seconds(60)] {
                #expect(try await installation.refusedCode(installation.ticket(), totp.code(at: time)).code == .unauthorized)
            }
            let ticket = try await installation.ticket()
            _ = try await installation.endSignIn(ticket, totp.code(at: now + .seconds(30)))
            for code in [totp.code(at: now + .seconds(30)), totp.code(at: now)] {
                #expect(try await installation.refusedCode(ticket, code, from: "192.0.2.1").code == .unauthorized)
            }
        }
    }

    @Test func aRecoveryCodeWorksOnce() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let (_, codes) = try await installation.setUpSecondFactor(user)
            #expect(codes.count == 10 && Set(codes).count == 10 && codes[0].wholeMatch(of: /[a-z0-9]{5}-[a-z0-9]{5}/) != nil)
            _ = try await installation.endSignIn(installation.ticket(), codes[0].uppercased())
            #expect(try await installation.refusedCode(installation.ticket(), codes[0]).code == .unauthorized)
            #expect(try await installation.users.recoveryCodes(of: user.id) == 9)
        }
    }

    @Test func aTicketEndsAfterFiveMinutesAndWithTheUser() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let (totp, _) = try await installation.setUpSecondFactor(user)
            let old = try await installation.ticket()
            installation.clock.advance(by: .seconds(300))
            let late = try await installation.refusedCode(old, totp.code(at: installation.clock.now))
            #expect(late.code == .gone && late.message.contains("more than 5 minutes"))
            let ticket = try await installation.ticket()
            _ = try await installation.users.disable(user.id)
            #expect(
                try await installation.refusedCode(ticket, totp.code(at: installation.clock.now)).code == .unauthorized)
            #expect(try await installation.refusedCode("none", "000000").code == .gone)
        }
    }

    @Test func wrongCodesCountWithWrongPasswordsAndFromEverywhere() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            _ = try await installation.setUpSecondFactor(user)
            let ticket = try await installation.ticket()
            for _ in 1...3 { _ = try await installation.refusedCode(ticket, "000000") }
            for _ in 1...2 { _ = try await installation.refusedSignIn() }
            #expect(try await installation.refusedCode(ticket, "000000").code == .rateLimited)
            for number in 1...17 {
                let failure = try await installation.refusedCode(ticket, "000000", from: "10.0.\(number).1")
                #expect(failure.code == .unauthorized, "\(number)")
            }
            #expect(try await installation.refusedCode(ticket, "000000", from: "10.0.99.1").code == .rateLimited)
        }
    }

    @Test func itIsRemovedWithThePasswordOrByAReset() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            _ = try await installation.setUpSecondFactor(user)
            let wrong = try await installation.failure { try await installation.removeSecondFactor(user, "a wrong password") }
            #expect(wrong.code == .invalid && wrong.message.hasPrefix("password "))
            #expect(try await installation.users.recoveryCodes(of: user.id) == 10)
            let twice = try await installation.failure { _ = try await installation.setUpSecondFactor(user) }
            #expect(twice.code == .conflict)
            try await installation.removeSecondFactor(user)
            #expect(try await installation.users.recoveryCodes(of: user.id) == 0)
            _ = try await installation.signIn()
            _ = try await installation.setUpSecondFactor(user)
            #expect(try await installation.users.reset(user.id).user.hasSecondFactor == false)
            #expect(try await installation.users.recoveryCodes(of: user.id) == 0)
        }
    }

    @Test func aWrongCodeOrPasswordSetsNothingUp() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            let cases: [(code: String?, password: String?, field: String)] = [
                ("12345", nil, "code"), ("", nil, "code"), (nil, "a wrong password", "password"),
            ]
            for (code, password, field) in cases {
                let failure = try await installation.failure {
                    _ = try await installation.setUpSecondFactor(user, code: code, password: password)
                }
                #expect(failure.code == .invalid && failure.message.hasPrefix(field + " "), "\(failure.message)")
            }
            _ = try await installation.signIn()
        }
    }

    @Test func wrongPasswordsOfASignedInUserAreLimitedAsThoseOfSignIns() async throws {
        try await Installation.run(passwords: CountingHasher()) { installation in
            let user = try await installation.createUser()
            _ = try await installation.setUpSecondFactor(user)
            for number in 1...6 {
                let failure = try await installation.failure { try await installation.removeSecondFactor(user, "wrong") }
                #expect(failure.code == (number == 6 ? .rateLimited : .invalid), "\(number)")
            }
            #expect(try await installation.refusedSignIn().code == .rateLimited)
        }
    }
}

extension Installation {
    fileprivate func setUpSecondFactor(
        _ user: DashboardUser, code: String? = nil, password: String? = nil
    ) async throws -> (totp: TOTP, codes: [String]) {
        let totp = users.newSecondFactor()
        let codes = try await users.setUpSecondFactor(
            totp, code: code ?? totp.code(at: clock.now), password: password ?? orchardPassword, for: user,
            from: try #require(ClientAddress("203.0.113.7")))
        return (totp, codes)
    }

    fileprivate func removeSecondFactor(_ user: DashboardUser, _ password: String? = nil) async throws {
        try await users.removeSecondFactor(
            password: password ?? orchardPassword, of: user, from: try #require(ClientAddress("203.0.113.7")))
    }

    /// The ticket of a right password.
    fileprivate func ticket() async throws -> String {
        let needed = try #require(await #expect(throws: SecondFactorNeeded.self) { try await signIn() })
        return needed.ticket
    }

    fileprivate func endSignIn(
        _ ticket: String, _ code: some StringProtocol, from address: String = "203.0.113.7"
    ) async throws -> (session: DashboardSession, secret: String) {
        try await users.endSignIn(ticket: ticket, code: String(code), from: try #require(ClientAddress(address)))
    }

    fileprivate func refusedCode(_ ticket: String, _ code: String, from address: String = "203.0.113.7") async throws -> Failure {
        try await failure { _ = try await endSignIn(ticket, code, from: address) }
    }
}
