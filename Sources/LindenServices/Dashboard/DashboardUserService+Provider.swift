import Linden
import LindenKernel

/// Signing in by an OpenID provider.
extension DashboardUserService {
    /// Begins a sign-in. Returns the address at which the browser goes on, and what it keeps until it comes back. Fails with `notFound`
    /// without a provider, and with `unavailable` if the provider does not answer.
    package func beginProviderSignIn(to page: String, returnURL: String) async throws -> (url: String, attempt: ProviderAttempt) {
        let provider = try requireProvider()
        let attempt = ProviderAttempt(page: page, random: random)
        return (try await provider.signInURL(attempt, returnURL: returnURL), attempt)
    }

    /// Ends a sign-in that the browser began. Returns the session with its secret.
    ///
    /// The user is found by the provider's subject, at first by its name; a new one is created if the provider's settings say so. Fails with
    /// `unauthorized` if there is none, or the provider did not sign it in; with `rateLimited` after too many failures; with `unavailable` if
    /// the provider does not answer. Nothing is stored then.
    ///
    /// - Parameters:
    ///   - answer: as the browser brings it back from the provider.
    ///   - attempt: as the browser kept it.
    package func endProviderSignIn(
        _ answer: ProviderAnswer, of attempt: ProviderAttempt, returnURL: String, from address: ClientAddress
    ) async throws -> (session: DashboardSession, secret: String) {
        let provider = try requireProvider()
        // Some providers send the state back with a code only.
        if let failure = answer.failure, answer.state.isEmpty { throw failure }
        guard Secret.matches(answer.state, hash: Secret.hash(attempt.state)) else { throw Failure.otherAttempt }
        let counted = try limiter.takeProvider(from: address, at: clock.now())
        do {
            guard usedStates.use(attempt.state) else { throw Failure.usedAttempt }
            if let failure = answer.failure { throw failure }
            let provided = try await provider.user(code: answer.code, of: attempt, returnURL: returnURL)
            guard provider.admits(provided.name) else {
                throw provided.name == nil ? Failure.unverifiedName : Failure.noSuchUser(provided.name)
            }
            let started = try await begin(provided, newUserRole: provider.newUserRole)
            limiter.giveBack(counted)
            return started
        } catch let failure as Failure where failure.code == .unauthorized {
            throw failure
        } catch {
            // The provider or the database did not answer.
            limiter.giveBack(counted)
            throw error
        }
    }

    private func begin(
        _ provided: ProvidedUser, newUserRole: DashboardUser.Role?
    ) async throws -> (session: DashboardSession, secret: String) {
        let secret = newSecret()
        let session = try await storage.write { transaction in
            let user = try transaction.dashboardUser(for: provided, newUserRole: newUserRole)
            guard try transaction.recordSignIn(user.id, providerSubject: provided.subject, at: transaction.now),
                let session = try transaction.beginDashboardSession(of: user.id, secret: secret)
            else { throw Failure.noSuchUser(provided.name) }
            return session
        }
        return (session, secret)
    }

    private func requireProvider() throws(Failure) -> any IdentityProvider {
        guard let provider else { throw Failure.notFound("There is no sign-in by a provider: dashboard.openid.issuer is not set.") }
        return provider
    }
}

extension DatabaseTransaction {
    /// Returns the user of a provider's user: by subject, else by name if that user has no subject yet, else a new one.
    fileprivate func dashboardUser(for provided: ProvidedUser, newUserRole: DashboardUser.Role?) throws -> DashboardUser {
        if let user = try dashboardUser(providerSubject: provided.subject) { return user }
        guard let name = provided.name else { throw Failure.unverifiedName }
        if let user = try dashboardUser(named: name) {
            guard user.disabledAt == nil, try linkDashboardUser(user.id, toProviderSubject: provided.subject) else {
                throw Failure.noSuchUser(name)
            }
            return user
        }
        guard let newUserRole else { throw Failure.noSuchUser(name) }
        try DashboardUser.check(name: name)
        let user = DashboardUser(
            id: try newID(), name: name, role: newUserRole, app: nil, hasProvider: true, createdAt: now)
        guard try insert(user, providerSubject: provided.subject) else { throw Failure.noSuchUser(name) }
        return user
    }
}

extension Failure {
    fileprivate static let otherAttempt = Failure(
        .unauthorized, "This sign-in was begun in another browser, or more than 10 minutes ago. Please begin again.")

    fileprivate static let usedAttempt = Failure(.unauthorized, "This sign-in has ended before. Please begin again.")

    fileprivate static let unverifiedName = Failure(
        .unauthorized,
        "The provider does not vouch for a name of this account, such as a verified e-mail address. Please ask an administrator for access."
    )

    /// The message for no user, a disabled one, one that is another account's at the provider, and an account that the settings exclude.
    fileprivate static func noSuchUser(_ name: String?) -> Failure {
        let account = name.map { " (\($0.prefix(DashboardUser.longestName)))" } ?? ""
        return Failure(.unauthorized, "This account\(account) may not sign in here. Please ask an administrator for access.")
    }
}
