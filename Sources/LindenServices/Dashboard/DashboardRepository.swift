import Linden
import LindenKernel

package protocol DashboardReader {
    func dashboardUsers() throws -> [DashboardUser]
    func dashboardUser(_ id: DashboardUser.ID) throws -> DashboardUser?
    /// Returns the user with this name, regardless of case.
    func dashboardUser(named name: String) throws -> DashboardUser?
    /// Returns the user with the one-time secret of this hash, even if the secret has expired.
    func dashboardUser(setUpHash: [UInt8]) throws -> DashboardUser?
    /// Returns the hash of a user's password; nil if there is none.
    func passwordHash(of user: DashboardUser.ID) throws -> String?
    /// Returns the session with the secret of this hash, even if it has expired.
    func dashboardSession(hash: [UInt8]) throws -> DashboardSession?
}

package protocol DashboardRepository: DashboardReader {
    /// Adds a user with the hash of a one-time secret. Returns false if the name is taken.
    func insert(_ user: DashboardUser, setUpHash: [UInt8]) throws -> Bool
    /// Removes the password and replaces the one-time secret. Returns false if there is no such user or it is disabled.
    func resetDashboardUser(_ id: DashboardUser.ID, setUpHash: [UInt8], expiresAt: Timestamp) throws -> Bool
    /// Sets the password and removes the one-time secret. Returns false if there is no valid secret with this hash.
    func setPassword(_ passwordHash: String, setUpHash: [UInt8], at time: Timestamp) throws -> Bool
    /// Disables a user and removes the one-time secret. Returns false if there is no such user or it was disabled before.
    func disableDashboardUser(_ id: DashboardUser.ID, at time: Timestamp) throws -> Bool
    func enableDashboardUser(_ id: DashboardUser.ID) throws
    /// Records a sign-in. Returns false if the user is disabled or has another password by now.
    func recordSignIn(_ id: DashboardUser.ID, passwordHash: String, at time: Timestamp) throws -> Bool

    func insert(_ session: DashboardSession, hash: [UInt8]) throws
    /// Records the use of a session whose last recorded use was at a time or before it.
    func recordUse(of session: DashboardSession.ID, at time: Timestamp, ifUsedBy last: Timestamp) throws
    func deleteDashboardSession(hash: [UInt8]) throws
    func deleteDashboardSessions(of user: DashboardUser.ID) throws
    /// Deletes the oldest sessions of a user beyond a number.
    func deleteDashboardSessions(of user: DashboardUser.ID, beyond count: Int) throws
    /// Deletes the sessions that were last used, or expired, by these times.
    func deleteDashboardSessions(lastUsedBy idle: Timestamp, expiredBy time: Timestamp) throws
}
