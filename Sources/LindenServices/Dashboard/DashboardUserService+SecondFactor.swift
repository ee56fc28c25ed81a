import Linden
import LindenKernel

/// The second factor of users who sign in by a password: codes of an authenticator app, or recovery codes.
extension DashboardUserService {
    /// Returns a second factor to be set up. Nothing is stored.
    package func newSecondFactor() -> TOTP { TOTP(random: random) }

    /// Sets up a second factor once its app has shown a right code. Returns the recovery codes, of which only hashes are stored.
    ///
    /// The password is asked for, so that a person at another's browser cannot lock that user out. Fails with `invalid` for a wrong code or
    /// password, with `rateLimited` after too many wrong passwords, and with `conflict` if the user has a second factor.
    package func setUpSecondFactor(
        _ totp: TOTP, code: String, password: String, for user: DashboardUser, from address: ClientAddress
    ) async throws -> [String] {
        let code = code.withoutSeparators
        guard totp.step(of: code, at: clock.now(), after: nil) != nil else { throw Failure.wrongNewCode }
        try await checkPassword(password, of: user, from: address)
        let codes = (0..<SecondFactor.recoveryCodes).map { _ in SecondFactor.recoveryCode(random) }
        let hashes = codes.map { Secret.hash($0.withoutSeparators) }
        try await storage.write { transaction in
            guard let step = totp.step(of: code, at: transaction.now, after: nil) else { throw Failure.wrongNewCode }
            let factor = SecondFactor(secret: totp.secret, lastStep: step)
            guard try transaction.setSecondFactor(factor, recoveryHashes: hashes, of: user.id) else {
                throw Failure(.conflict, "A second factor is set up already.")
            }
        }
        return codes
    }

    /// Removes a user's second factor and its recovery codes. Fails with `invalid` for a wrong password, and with `rateLimited` after too
    /// many.
    package func removeSecondFactor(password: String, of user: DashboardUser, from address: ClientAddress) async throws {
        try await checkPassword(password, of: user, from: address)
        try await storage.write { try $0.removeSecondFactor(of: user.id) }
    }

    /// Checks the password of a signed-in user. A wrong one counts as a failed sign-in.
    private func checkPassword(_ text: String, of user: DashboardUser, from address: ClientAddress) async throws {
        let (passwords, password) = (try requirePasswords(), Password(text))
        let attempt = try limiter.take(name: user.name, from: address, at: clock.now())
        let isRight: Bool
        do {
            let hash = try await storage.read { try $0.passwordHash(of: user.id) }
            isRight = try await passwords.verify(
                password.isTooLong ? "" : password.text, against: password.isTooLong ? nil : hash, for: ClientNetwork(address))
        } catch {
            limiter.giveBack(attempt)
            throw error
        }
        guard isRight else { throw Failure.invalid("password is not the one of your account.") }
        limiter.giveBack(attempt)
    }

    /// The number of recovery codes that a user has left.
    package func recoveryCodes(of id: DashboardUser.ID) async throws -> Int {
        try await storage.read { try $0.recoveryCodes(of: id) }
    }

    /// Ends a sign-in with a code. Fails with `unauthorized` for a wrong one, or one that was used; with `gone` for a ticket that has expired;
    /// with `rateLimited` after too many wrong codes.
    ///
    /// - Parameter ticket: of ``SecondFactorNeeded``.
    package func endSignIn(
        ticket text: String, code: String, from address: ClientAddress
    ) async throws -> (session: DashboardSession, secret: String) {
        guard let ticket = tickets.ticket(text, at: clock.now()) else {
            throw Failure(.gone, "The sign-in took more than 5 minutes. Please begin again.")
        }
        let attempt = try limiter.takeCode(name: ticket.user.name, from: address, at: clock.now())
        let secret = newSecret()
        let session: DashboardSession?
        do {
            session = try await storage.write { transaction in
                guard try transaction.useCode(code, of: ticket.user.id),
                    try transaction.recordSignIn(ticket.user.id, passwordHash: ticket.passwordHash, at: transaction.now)
                else { return nil }
                return try transaction.beginDashboardSession(of: ticket.user.id, secret: secret)
            }
        } catch {
            limiter.giveBack(attempt)
            throw error
        }
        guard let session else { throw Failure.wrongCode }
        limiter.giveBack(attempt)
        return (session, secret)
    }

    /// Returns the error that asks for a code after a right password.
    func secondFactorNeeded(by user: DashboardUser, _ passwordHash: String) -> SecondFactorNeeded {
        let secret = newSecret()
        let ticket = SignInTickets.Ticket(
            user: user, passwordHash: passwordHash, expiresAt: clock.now() + SignInTickets.lifetime)
        tickets.insert(ticket, secret: secret)
        return SecondFactorNeeded(ticket: secret)
    }
}

extension DatabaseTransaction {
    /// Uses a code of a user's app, or a recovery code, each of which is valid once. Returns false for any other.
    fileprivate func useCode(_ code: String, of id: DashboardUser.ID) throws -> Bool {
        guard let factor = try secondFactor(of: id) else { return false }
        let code = code.withoutSeparators
        if let step = factor.totp.step(of: code, at: now, after: factor.lastStep) {
            return try useSecondFactor(step: step, of: id)
        }
        return try useRecoveryCode(Secret.hash(code), of: id)
    }
}

extension String {
    /// A code without the spaces and hyphens with which people and apps write it.
    fileprivate var withoutSeparators: String { String(prefix(64).filter { $0 != " " && $0 != "-" }).lowercased() }
}

extension Failure {
    fileprivate static let wrongNewCode = Failure.invalid(
        "code is not the one that the app shows now. Check that the phone's clock is right.")

    fileprivate static let wrongCode = Failure(
        .unauthorized, "The code is wrong, or was used. Wait for the app's next one, or use a recovery code.", at: ["code"])
}
