import Crypto
import LindenKernel
import LinkRouting

/// Time-based one-time passwords (RFC 6238) with the parameters that all authenticator apps have: HMAC-SHA-1, 30 seconds, six digits.
package struct TOTP: Sendable, Equatable {
    private static let digits = 6
    private static let modulus: UInt32 = 1_000_000
    private static let secondsPerStep: Int64 = 30
    /// The number of bytes of a secret (RFC 4226, section 4, R6).
    private static let length = 20

    /// Shared with the user's app.
    package let secret: [UInt8]

    init(secret: [UInt8]) {
        self.secret = secret
    }

    /// Returns one with a random secret.
    package init(random: RandomSource) {
        var generator = random
        self.init(secret: (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Reads ``text``. Returns nil for any other text.
    package init?(text: String) {
        guard let bytes = Base32.decode(text), bytes.count == Self.length else { return nil }
        self.init(secret: bytes)
    }

    /// The secret as it is typed into an app that cannot scan.
    package var text: String { Base32.encode(secret) }

    /// The address that an app reads from a QR code (Google Authenticator, "Key Uri Format").
    package func url(name: String, issuer: String) -> String {
        let (name, issuer) = (PercentCoding.encodeQueryValue(name), PercentCoding.encodeQueryValue(issuer))
        return "otpauth://totp/\(issuer):\(name)?secret=\(text)&issuer=\(issuer)"
    }

    /// The code of a step (RFC 4226, section 5.3).
    func code(ofStep step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(hash[hash.count - 1] & 15)
        let word = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(word % Self.modulus)
        return String(repeating: "0", count: Self.digits - digits.count) + digits
    }

    package func code(at time: Timestamp) -> String { code(ofStep: Self.step(at: time)) }

    /// Returns the step of a code, which may be the one before or after the current one, since clocks differ; nil for a wrong code.
    ///
    /// - Parameter last: the step of the last code that was accepted. It and earlier ones are not accepted again.
    func step(of code: String, at time: Timestamp, after last: Int64?) -> Int64? {
        let current = Self.step(at: time)
        return (current - 1...current + 1).first { $0 > last ?? .min && self.code(ofStep: $0) == code }
    }

    private static func step(at time: Timestamp) -> Int64 { time.seconds / secondsPerStep }
}

/// The Base32 alphabet of RFC 4648, without padding.
private enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var (text, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> bits & 31)])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 64 else { return nil }
        var (bytes, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for character in text.uppercased().utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 255))
            }
            buffer &= (1 << bits) - 1
        }
        return bytes
    }
}
