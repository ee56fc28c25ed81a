import Crypto
import Foundation

/// The secret key of one UTC day, for hashing that day's addresses.
package struct AddressKey: Sendable, Equatable {
    package let day: Int64
    package let secret: [UInt8]
    /// When the key expires: the end of the last match window that used it.
    package let expiresAt: Timestamp
    /// Keyed once, since that costs as much as hashing an address; each address is hashed by a copy.
    private let hmac: HMAC<SHA256>
    private let prefix: String

    package init(day: Int64, secret: [UInt8], expiresAt: Timestamp) {
        self.day = day
        self.secret = secret
        prefix = "\(day):"
        hmac = HMAC(key: SymmetricKey(data: secret))
        self.expiresAt = expiresAt
    }

    /// Creates a key of 256 random bits for a day.
    init(day: Int64, expiresAt: Timestamp, random: RandomSource) {
        let secret = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        self.init(day: day, secret: secret, expiresAt: expiresAt)
    }

    /// Returns the day and the first 128 bits of the HMAC-SHA256: `20833:kq3vW0nU5mJx1RZ2u8Yy9g`. Equal for equal addresses of one day;
    /// reveals nothing without the key.
    ///
    /// Uses a maintained library's HMAC, since a reversible hash would disclose the address of every visitor: IPv4 has only four billion.
    func hash(_ address: ClientAddress) -> String {
        var hmac = hmac
        hmac.update(data: Array(address.matchKey.utf8))
        let code = hmac.finalize()
        // The Base64 of 16 bytes ends in two padding characters.
        return prefix + Data(code.prefix(16)).base64EncodedString().dropLast(2)
    }

    package static func == (a: AddressKey, b: AddressKey) -> Bool {
        (a.day, a.secret, a.expiresAt) == (b.day, b.secret, b.expiresAt)
    }

    /// Returns the end of a key's day, after which it hashes no new addresses.
    static func end(ofDay day: Int64) -> Timestamp { Timestamp(milliseconds: (day + 1) * Timestamp.millisecondsPerDay) }
}

package protocol AddressKeyReader {
    /// Returns all keys, newest first.
    func addressKeys() throws -> [AddressKey]
}

package protocol AddressKeyRepository: AddressKeyReader {
    /// Stores a key and returns the key of its day: the given one, unless another process stored one before. The stored key expires no
    /// earlier than the given one.
    func keep(_ key: AddressKey) throws -> AddressKey
    /// Deletes keys that have expired at `time`, and all keys of days before `day`.
    func deleteAddressKeys(notNeededAt time: Timestamp, before day: Int64) throws
}
