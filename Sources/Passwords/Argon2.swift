import CArgon2
import LindenKernel

/// The password hash argon2id (RFC 9106), with hashes as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
enum Argon2 {
    /// KiB of memory, passes over it, and lanes: the first choice of OWASP's Password Storage Cheat Sheet.
    static let (memory, passes, lanes): (UInt32, UInt32, UInt32) = (19 << 10, 2, 1)
    static let saltBytes = 16
    static let hashBytes = 32

    /// A well-formed hash of no known password.
    static let decoy =
        "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$" + String(repeating: "A", count: 22) + "$"
        + String(repeating: "A", count: 43)

    /// Returns the hash of a password. Takes tens of milliseconds. Fails with `unavailable` if there is not enough memory.
    static func hash(_ password: String, salt: [UInt8]) throws -> String {
        let length = argon2_encodedlen(passes, memory, lanes, UInt32(salt.count), UInt32(hashBytes), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let bytes = Array(password.utf8)
        let result = argon2id_hash_encoded(
            passes, memory, lanes, bytes, bytes.count, salt, salt.count, hashBytes, &encoded, encoded.count)
        guard result == ARGON2_OK.rawValue else { throw Failure.notHashed }
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a hash is that of a password. Compares in constant time; false for anything that is no hash. Takes the memory and the time
    /// that the hash names. Fails with `unavailable` if there is not enough memory.
    static func matches(_ password: String, hash: String) throws -> Bool {
        let bytes = Array(password.utf8)
        let result = argon2id_verify(hash, bytes, bytes.count)
        guard result != ARGON2_MEMORY_ALLOCATION_ERROR.rawValue else { throw Failure.notHashed }
        return result == ARGON2_OK.rawValue
    }
}

extension Failure {
    fileprivate static let notHashed = Failure.unavailable("There is not enough memory to check a password. Please try again.")
}
