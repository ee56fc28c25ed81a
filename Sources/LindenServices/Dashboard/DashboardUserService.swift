import Linden
import LindenKernel

/// A service that creates, lists, resets and disables the users of the dashboard, and signs them in.
package struct DashboardUserService: Sendable {
    /// The lifetime of a one-time secret for setting a password.
    package static let setUpLifetime: Duration = .seconds(7 * 86400)

    let storage: any Database
    let passwords: (any PasswordHasher)?
    /// Nil unless users may sign in by an OpenID provider.
    package let provider: (any IdentityProvider)?
    let clock: WallClock
    let random: RandomSource
    let limiter = SignInLimiter()
    let tickets = SignInTickets()
    let usedStates = UsedStates()

    /// - Parameters:
    ///   - passwords: nil if this program was built without passwords; signing in by one fails then.
    ///   - provider: nil unless users may sign in by an OpenID provider.
    package init(
        storage: any Database, passwords: (any PasswordHasher)?, provider: (any IdentityProvider)?, clock: WallClock,
        random: RandomSource
    ) {
        self.provider = provider
        self.storage = storage
        self.passwords = passwords
        self.clock = clock
        self.random = random
    }

    /// Creates a user. Returns it with the one-time secret for setting a password, of which only a hash is stored. Fails with `conflict` if
    /// the name is taken.
    package func create(
        name: String, role: DashboardUser.Role, app: App.ID?
    ) async throws -> (user: DashboardUser, secret: String) {
        try DashboardUser.check(name: name)
        let secret = newSecret()
        let user = try await storage.write { transaction in
            let user = DashboardUser(
                id: try transaction.newID(), name: name, role: role, app: app,
                setUpExpiresAt: transaction.now + Self.setUpLifetime, createdAt: transaction.now)
            guard try transaction.insert(user, setUpHash: Secret.hash(secret)) else {
                throw Failure(.conflict, "There is a user named \(name) already.", at: ["name"])
            }
            return user
        }
        return (user, secret)
    }

    package func list() async throws -> [DashboardUser] {
        try await storage.read { try $0.dashboardUsers() }
    }

    /// Returns the user with this name, regardless of case. Fails with `notFound`.
    package func find(_ name: String) async throws -> DashboardUser {
        guard let user = try await storage.read({ try $0.dashboardUser(named: name) }) else {
            throw Failure.notFound("There is no user named \(name).")
        }
        return user
    }

    /// Removes a user's password, its second factor and its link to the OpenID provider, ends all sessions, and replaces the one-time
    /// secret. Fails with `notFound`, or with `conflict` for a disabled user, who could not use the secret.
    package func reset(_ id: DashboardUser.ID) async throws -> (user: DashboardUser, secret: String) {
        let secret = newSecret()
        let user = try await storage.write { transaction in
            let user = try transaction.existingDashboardUser(id)
            let isReset = try transaction.resetDashboardUser(
                id, setUpHash: Secret.hash(secret), expiresAt: transaction.now + Self.setUpLifetime)
            guard isReset else { throw Failure(.conflict, "The user \(user.name) is disabled: enable it first.") }
            try transaction.removeSecondFactor(of: id)
            try transaction.deleteDashboardSessions(of: id)
            return try transaction.existingDashboardUser(id)
        }
        return (user, secret)
    }

    /// Disables a user, ends all sessions, and removes the one-time secret. Does nothing for a disabled user. Fails with `notFound`.
    package func disable(_ id: DashboardUser.ID) async throws -> DashboardUser {
        try await storage.write { transaction in
            _ = try transaction.disableDashboardUser(id, at: transaction.now)
            try transaction.deleteDashboardSessions(of: id)
            return try transaction.existingDashboardUser(id)
        }
    }

    /// Lets a disabled user sign in again, with the former password; a user without one needs ``reset(_:)``. Fails with `notFound`.
    package func enable(_ id: DashboardUser.ID) async throws -> DashboardUser {
        try await storage.write { transaction in
            try transaction.enableDashboardUser(id)
            return try transaction.existingDashboardUser(id)
        }
    }

    /// Returns the user who may set a password with a one-time secret. Fails with `notFound` if the secret is not valid.
    package func user(settingUpWith secret: String) async throws -> DashboardUser {
        let found = try await storage.read { reader in
            (user: try reader.dashboardUser(setUpHash: Secret.hash(secret)), now: reader.now)
        }
        guard let user = found.user, let end = user.setUpExpiresAt, found.now < end, user.disabledAt == nil else {
            throw Failure.noSuchSetUpSecret
        }
        return user
    }

    /// Sets the password of a user with a one-time secret, which is consumed, and ends all sessions. Fails with `notFound` if the secret is
    /// not valid, and with `invalid` for a password that is not allowed, which consumes nothing.
    package func setPassword(_ password: String, with secret: String) async throws -> DashboardUser {
        let passwords = try requirePasswords()
        let user = try await user(settingUpWith: secret)
        let password = Password(password)
        try password.check(for: user)
        // Only the person with the one-time secret comes so far.
        let hash = try await passwords.hash(password.text, for: nil)
        return try await storage.write { transaction in
            guard try transaction.setPassword(hash, setUpHash: Secret.hash(secret), at: transaction.now) else {
                throw Failure.noSuchSetUpSecret
            }
            try transaction.deleteDashboardSessions(of: user.id)
            return try transaction.existingDashboardUser(user.id)
        }
    }

    func requirePasswords() throws(Failure) -> any PasswordHasher {
        guard let passwords else {
            throw Failure.notFound("This program was built without passwords (package trait Passwords), so users cannot sign in.")
        }
        return passwords
    }

    func newSecret() -> String { random.alphanumerics(40) }
}

extension DashboardReader {
    fileprivate func existingDashboardUser(_ id: DashboardUser.ID) throws -> DashboardUser {
        guard let user = try dashboardUser(id) else { throw Failure.notFound("There is no user with the id \(id).") }
        return user
    }
}

extension Failure {
    fileprivate static let noSuchSetUpSecret = Failure.notFound(
        "This link is not valid: it was used, replaced, or is older than 7 days. Please ask an administrator for a new one.")
}
