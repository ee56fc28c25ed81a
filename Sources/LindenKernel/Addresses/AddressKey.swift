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
    /// The day and a colon, in ASCII.
    private let prefix: [UInt8]

    package init(day: Int64, secret: [UInt8], expiresAt: Timestamp) {
        self.day = day
        self.secret = secret
        prefix = Array("\(day):".utf8)
        hmac = HMAC(key: SymmetricKey(data: secret))
        self.expiresAt = expiresAt
    }

    /// Creates a key of 256 random bits for a day.
    package init(day: Int64, expiresAt: Timestamp, random: RandomSource) {
        let secret = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        self.init(day: day, secret: secret, expiresAt: expiresAt)
    }

    /// Returns the day and the first 128 bits of the HMAC-SHA256: `20833:kq3vW0nU5mJx1RZ2u8Yy9g`. Equal for equal addresses of one day;
    /// reveals nothing without the key.
    ///
    /// Uses a maintained library's HMAC, since a reversible hash would disclose the address of every visitor: IPv4 has only four billion.
    /// It runs once for each visit, so it allocates no array for the text or the hash.
    package func hash(_ address: ClientAddress) -> String {
        var hmac = hmac
        withUnsafeTemporaryAllocation(byteCount: ClientAddress.longestMatchKey, alignment: 1) { text in
            let count = address.writeMatchKey(to: text)
            hmac.update(data: UnsafeRawBufferPointer(rebasing: text[..<count]))
        }
        return hmac.finalize().withUnsafeBytes { code in
            String(unsafeUninitializedCapacity: prefix.count + Self.encodedBytes) { text in
                for (index, byte) in prefix.enumerated() { text.initializeElement(at: index, to: byte) }
                Self.encode(code, to: UnsafeMutableBufferPointer(rebasing: text[prefix.count...]))
                return prefix.count + Self.encodedBytes
            }
        }
    }

    /// The length of 16 bytes in Base64 without padding.
    private static let encodedBytes = 22

    /// Writes the first 16 bytes of a code in Base64 without padding.
    private static func encode(_ code: UnsafeRawBufferPointer, to text: UnsafeMutableBufferPointer<UInt8>) {
        for group in 0..<6 {
            // The last group has one byte, which takes two characters.
            let isLast = group == 5
            let first = UInt32(code[group * 3]) << 16
            let bits = isLast ? first : first | UInt32(code[group * 3 + 1]) << 8 | UInt32(code[group * 3 + 2])
            for index in 0..<(isLast ? 2 : 4) {
                let value = UInt8(truncatingIfNeeded: bits >> UInt32(18 - 6 * index)) & 0x3F
                text.initializeElement(at: group * 4 + index, to: character(value))
            }
        }
    }

    /// Returns the character of six bits in the standard alphabet of Base64 (RFC 4648, section 4).
    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    package static func == (a: AddressKey, b: AddressKey) -> Bool {
        (a.day, a.secret, a.expiresAt) == (b.day, b.secret, b.expiresAt)
    }

    /// Returns the end of a key's day, after which it hashes no new addresses.
    package static func end(ofDay day: Int64) -> Timestamp { Timestamp(milliseconds: (day + 1) * Timestamp.millisecondsPerDay) }
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
