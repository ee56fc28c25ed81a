import Foundation
import LindenKernel

/// A password as it is hashed: in Unicode normalization form C, because keyboards write é in two ways (RFC 8265, OpaqueString).
struct Password {
    /// The minimum length in characters. There are no rules about kinds of characters (NIST SP 800-63B, section 5.1.1.2).
    static let minimumLength = 12
    /// The maximum length in bytes, which bounds the work for a password.
    static let maximumBytes = 200

    let text: String

    init(_ text: String) {
        self.text = text.precomposedStringWithCanonicalMapping
    }

    var isTooLong: Bool { text.utf8.count > Self.maximumBytes }

    /// Checks a new password of a user. Throws `invalid` with what is allowed.
    func check(for user: DashboardUser) throws(Failure) {
        guard text.count >= Self.minimumLength else {
            throw Failure.invalid("The password must have at least \(Self.minimumLength) characters.", at: "password")
        }
        guard !isTooLong else {
            throw Failure.invalid("The password must have at most \(Self.maximumBytes) bytes.", at: "password")
        }
        guard text.lowercased() != user.name.lowercased() else {
            throw Failure.invalid("The password must not be the user's name.", at: "password")
        }
    }
}
