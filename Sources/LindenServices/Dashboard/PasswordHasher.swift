import LindenKernel

/// A slow, salted hash of passwords. Calls may wait for others, those of one site in turn, and fail with `unavailable` if too many wait. How
/// long they wait does not depend on the password or the hash.
///
/// `client` is the network of a person who has shown nothing but a password; nil for a call that no stranger can make.
package protocol PasswordHasher: Sendable {
    /// Returns the hash of a password, as a PHC string.
    func hash(_ password: String, for client: ClientNetwork?) async throws -> String
    /// Whether a hash is that of a password. Without a hash the result is false, after the same work.
    func verify(_ password: String, against hash: String?, for client: ClientNetwork?) async throws -> Bool
}
