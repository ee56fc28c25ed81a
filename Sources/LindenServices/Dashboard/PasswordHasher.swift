/// A slow, salted hash of passwords. Calls may wait for earlier ones, and fail with `unavailable` if too many wait.
package protocol PasswordHasher: Sendable {
    /// Returns the hash of a password, as a PHC string.
    func hash(_ password: String) async throws -> String
    /// Whether a hash is that of a password. Without a hash the result is false, after the same work.
    func verify(_ password: String, against hash: String?) async throws -> Bool
}
