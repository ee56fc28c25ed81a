import Crypto
import Foundation

/// The secret of one day (UTC), under which that day's addresses are hashed.
package struct AddressKey: Sendable, Equatable {
    package let day: Int64
    package let secret: [UInt8]
    /// When the last window is over that rests on the key. Nobody needs it from then on.
    package let neededUntil: Timestamp
    /// Keyed once, since that costs as much as hashing an address does; each address is hashed by a copy.
    private let hmac: HMAC<SHA256>
    private let prefix: String

    package init(day: Int64, secret: [UInt8], neededUntil: Timestamp) {
        self.day = day
        self.secret = secret
        prefix = "\(day):"
        hmac = HMAC(key: SymmetricKey(data: secret))
        self.neededUntil = neededUntil
    }

    /// A key of 256 random bits for a day.
    init(day: Int64, neededUntil: Timestamp, random: RandomSource) {
        let secret = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        self.init(day: day, secret: secret, neededUntil: neededUntil)
    }

    /// The day and 128 bits of HMAC-SHA256: `20833:kq3vW0nU5mJx1RZ2u8Yy9g`. Equal for equal addresses of one day; nothing without the key.
    ///
    /// HMAC of a library that others keep, because whoever could turn the hash back would have every visitor's address: there are but four
    /// billion of IPv4.
    func hash(_ address: ClientAddress) -> String {
        var hmac = hmac
        hmac.update(data: Array(address.matchKey.utf8))
        let code = hmac.finalize()
        // 16 bytes end in two signs that say nothing.
        return prefix + Data(code.prefix(16)).base64EncodedString().dropLast(2)
    }

    package static func == (a: AddressKey, b: AddressKey) -> Bool {
        (a.day, a.secret, a.neededUntil) == (b.day, b.secret, b.neededUntil)
    }

    /// When no more is hashed under the key of a day.
    static func end(ofDay day: Int64) -> Timestamp { Timestamp(milliseconds: (day + 1) * Timestamp.millisecondsPerDay) }
}

package protocol AddressKeyReader {
    /// All keys there are, newest first.
    func addressKeys() throws -> [AddressKey]
}

package protocol AddressKeyRepository: AddressKeyReader {
    /// The key of a day: the given one, unless another process was faster. It is kept at least as long as the given one asks for.
    func keep(_ key: AddressKey) throws -> AddressKey
    /// Deletes keys that nobody needs at a time, and all of days before one.
    func deleteAddressKeys(notNeededAt time: Timestamp, before day: Int64) throws
}
