import Linden
import LindenKernel

package protocol DashboardReader {
    func dashboardUsers() throws -> [DashboardUser]
    func dashboardUser(_ id: DashboardUser.ID) throws -> DashboardUser?
    /// Returns the user with this name, regardless of case.
    func dashboardUser(named name: String) throws -> DashboardUser?
    /// Returns the user with the one-time secret of this hash, even if the secret has expired.
    func dashboardUser(setUpHash: [UInt8]) throws -> DashboardUser?
    /// Returns the user with a subject of the OpenID provider, see ``ProvidedUser/subject``.
    func dashboardUser(providerSubject: String) throws -> DashboardUser?
    /// Returns a user's second factor; nil if there is none.
    func secondFactor(of user: DashboardUser.ID) throws -> SecondFactor?
    /// Returns the number of recovery codes that a user has left.
    func recoveryCodes(of user: DashboardUser.ID) throws -> Int
    /// Returns the hash of a user's password; nil if there is none.
    func passwordHash(of user: DashboardUser.ID) throws -> String?
    /// Returns the session with the secret of this hash, even if it has expired, unless its user has a role that only a later version knows.
    func dashboardSession(hash: [UInt8]) throws -> DashboardSession?
    /// Returns the shared questions of an app's side, the newest first, expired ones too.
    func sharedQuestions(in scope: Scope) throws -> [SharedQuestion]
    /// Returns the shared question with the secret of this hash, even if it has expired.
    func sharedQuestion(hash: [UInt8]) throws -> SharedQuestion?
}

package protocol DashboardRepository: DashboardReader {
    /// Adds a user with the hash of a one-time secret. Returns false if the name is taken.
    func insert(_ user: DashboardUser, setUpHash: [UInt8]) throws -> Bool
    /// Adds a user with a subject of the OpenID provider. Returns false if the name or the subject is taken.
    func insert(_ user: DashboardUser, providerSubject: String) throws -> Bool
    /// Sets the subject of a user who has none. Returns false if the user has one, or another user has this.
    func linkDashboardUser(_ id: DashboardUser.ID, toProviderSubject subject: String) throws -> Bool
    /// Removes the password and the provider's subject, and replaces the one-time secret. Returns false if there is no such user or it is disabled.
    func resetDashboardUser(_ id: DashboardUser.ID, setUpHash: [UInt8], expiresAt: Timestamp) throws -> Bool
    /// Sets the password and removes the one-time secret. Returns false if there is no valid secret with this hash.
    func setPassword(_ passwordHash: String, setUpHash: [UInt8], at time: Timestamp) throws -> Bool
    /// Disables a user and removes the one-time secret. Returns false if there is no such user or it was disabled before.
    func disableDashboardUser(_ id: DashboardUser.ID, at time: Timestamp) throws -> Bool
    func enableDashboardUser(_ id: DashboardUser.ID) throws
    /// Records a sign-in. Returns false if the user is disabled, has another password by now, or a role that only a later version knows.
    func recordSignIn(_ id: DashboardUser.ID, passwordHash: String, at time: Timestamp) throws -> Bool
    /// Records a sign-in by the OpenID provider. Returns false if the user is disabled, has another subject by now, or a role that
    /// only a later version knows.
    func recordSignIn(_ id: DashboardUser.ID, providerSubject: String, at time: Timestamp) throws -> Bool

    /// Sets a user's second factor with the hashes of its recovery codes. Returns false if the user has one.
    func setSecondFactor(_ factor: SecondFactor, recoveryHashes: [[UInt8]], of user: DashboardUser.ID) throws -> Bool
    func removeSecondFactor(of user: DashboardUser.ID) throws
    /// Records the step of a code. Returns false if it or a later one was recorded before.
    func useSecondFactor(step: Int64, of user: DashboardUser.ID) throws -> Bool
    /// Removes a recovery code. Returns false if the user has no code with this hash.
    func useRecoveryCode(_ hash: [UInt8], of user: DashboardUser.ID) throws -> Bool

    func insert(_ session: DashboardSession, hash: [UInt8]) throws
    /// Records the use of a session whose last recorded use was at a time or before it.
    func recordUse(of session: DashboardSession.ID, at time: Timestamp, ifUsedBy last: Timestamp) throws
    func deleteDashboardSession(hash: [UInt8]) throws
    func deleteDashboardSessions(of user: DashboardUser.ID) throws
    /// Deletes the oldest sessions of a user beyond a number.
    func deleteDashboardSessions(of user: DashboardUser.ID, beyond count: Int) throws
    /// Deletes the sessions that were last used, or expired, by these times.
    func deleteDashboardSessions(lastUsedBy idle: Timestamp, expiredBy time: Timestamp) throws

    func insert(_ shared: SharedQuestion, hash: [UInt8], by user: DashboardUser.ID?) throws
    /// Deletes a shared question. Returns false if the app's side has none with this id.
    func deleteSharedQuestion(_ id: SharedQuestion.ID, in scope: Scope) throws -> Bool
    func deleteSharedQuestions(expiredBy time: Timestamp) throws
}
