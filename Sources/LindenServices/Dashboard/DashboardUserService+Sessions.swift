import Linden
import LindenKernel

extension DashboardUserService {
    /// Signs a user in. Returns the session with its secret, which only the browser keeps.
    ///
    /// Fails with `unauthorized`, after the same time and with the same message, if there is no such user, the user is invited or disabled,
    /// or the password is wrong; with `rateLimited` after too many failures; with `unavailable` if too many passwords wait. Throws
    /// ``SecondFactorNeeded`` if the password is right and the user has a second factor.
    package func signIn(
        name: String, password: String, from address: ClientAddress
    ) async throws -> (session: DashboardSession, secret: String) {
        let passwords = try requirePasswords()
        let attempt = try limiter.take(name: name, from: address, at: clock.now())
        let result: (session: DashboardSession, secret: String)?
        do {
            result = try await signIn(name, Password(password), for: ClientNetwork(address), passwords)
        } catch {
            // The password was not checked, or was right.
            limiter.giveBack(attempt)
            throw error
        }
        guard let result else { throw Failure.wrongCredentials }
        limiter.giveBack(attempt)
        return result
    }

    private func signIn(
        _ name: String, _ password: Password, for client: ClientNetwork, _ passwords: any PasswordHasher
    ) async throws -> (session: DashboardSession, secret: String)? {
        let (user, hash) = try await storage.read { reader in
            let user = try reader.dashboardUser(named: name)
            return (user, try user.flatMap { try reader.passwordHash(of: $0.id) })
        }
        let isActive = user?.status == .active && !password.isTooLong
        let isRight = try await passwords.verify(
            password.isTooLong ? "" : password.text, against: isActive ? hash : nil, for: client)
        guard isRight, let user, let hash else { return nil }
        if user.hasSecondFactor { throw secondFactorNeeded(by: user, hash) }
        return try await begin(user, hash)
    }

    /// Starts a session, unless the user was disabled or reset while the password was checked.
    private func begin(_ user: DashboardUser, _ passwordHash: String) async throws -> (session: DashboardSession, secret: String)? {
        let secret = newSecret()
        let session: DashboardSession? = try await storage.write { transaction in
            guard try transaction.recordSignIn(user.id, passwordHash: passwordHash, at: transaction.now) else { return nil }
            return try transaction.beginDashboardSession(of: user.id, secret: secret)
        }
        return session.map { ($0, secret) }
    }

    /// Returns the session with a secret; nil if there is none, it has expired, or its user may not sign in any more. Records the use at
    /// most once a minute.
    ///
    /// - Parameter isUse: false for what goes on without the user, and must not keep the session from expiring.
    package func session(_ secret: String, isUse: Bool = true) async throws -> DashboardSession? {
        let (found, now) = try await storage.read { reader in
            (try reader.dashboardSession(hash: Secret.hash(secret)), reader.now)
        }
        guard let session = found, session.isValid(at: now) else { return nil }
        if isUse, now >= session.lastUsedAt + DashboardSession.useResolution {
            // The dashboard stays readable while nothing can be written, such as with a full disk.
            try? await storage.write { transaction in
                let now = transaction.now
                try transaction.recordUse(of: session.id, at: now, ifUsedBy: now - DashboardSession.useResolution)
            }
        }
        return session
    }

    /// Ends the session with a secret. Does nothing if there is none.
    package func signOut(_ secret: String) async throws {
        try await storage.write { try $0.deleteDashboardSession(hash: Secret.hash(secret)) }
    }

    /// Ends all sessions of a user.
    package func signOutEverywhere(_ user: DashboardUser.ID) async throws {
        try await storage.write { try $0.deleteDashboardSessions(of: user) }
    }
}

extension DatabaseTransaction {
    /// Starts a session of a user, and deletes those that have expired or are too many. Returns nil if there is no such user.
    func beginDashboardSession(of id: DashboardUser.ID, secret: String) throws -> DashboardSession? {
        guard let user = try dashboardUser(id) else { return nil }
        try deleteDashboardSessions(lastUsedBy: now - DashboardSession.idleLifetime, expiredBy: now)
        try deleteDashboardSessions(of: id, beyond: DashboardSession.mostPerUser - 1)
        let session = DashboardSession(
            id: try newID(), user: user, createdAt: now, lastUsedAt: now, expiresAt: now + DashboardSession.lifetime)
        try insert(session, hash: Secret.hash(secret))
        return session
    }
}

extension Failure {
    /// The only message of a failed sign-in, whatever the reason.
    fileprivate static let wrongCredentials = Failure(.unauthorized, "The name or the password is wrong.")
}
