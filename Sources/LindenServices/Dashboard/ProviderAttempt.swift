import Linden
import LindenKernel
import LinkRouting

/// A sign-in by an OpenID provider that a browser has begun. The browser keeps it in a cookie, so that no other browser can end it, and the
/// server needs no memory for sign-ins that strangers begin.
package struct ProviderAttempt: Sendable, Equatable {
    /// Comes back with the browser, and shows that this browser began the sign-in (RFC 6749, section 10.12).
    package let state: String
    /// Comes back in the ID token, and shows that it was made for this sign-in (OpenID Connect Core 1.0, section 3.1.2.1).
    package let nonce: String
    /// Shows that the code is redeemed by the server that asked for it (RFC 7636).
    package let verifier: String
    /// The page to show afterwards; empty for the start page.
    package let page: String

    package static let lifetime: Duration = .seconds(600)
    /// RFC 7636 allows verifiers of 43 to 128 characters.
    private static let length = 64
    private static let longestText = 4096

    init(page: String, random: RandomSource) {
        (state, nonce, verifier) = (
            random.alphanumerics(Self.length), random.alphanumerics(Self.length), random.alphanumerics(Self.length)
        )
        self.page = page
    }

    /// The value of the cookie.
    package var text: String { [state, nonce, verifier, PercentCoding.encodeQueryValue(page)].joined(separator: ".") }

    /// Reads ``text``. Returns nil for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= Self.longestText, parts.count == 4,
            parts.prefix(3).allSatisfy({ $0.utf8.count == Self.length && $0.utf8.allSatisfy(Self.isAlphanumeric) })
        else { return nil }
        (state, nonce, verifier) = (parts[0], parts[1], parts[2])
        page = PercentCoding.decode(parts[3])
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// The provider's answer to a sign-in, as a browser brings it back (RFC 6749, section 4.1.2).
package struct ProviderAnswer: Sendable {
    package let state: String
    /// Empty if there is none.
    package let code: String
    /// Nil if the provider has signed the user in.
    package let error: String?

    package init(state: String, code: String, error: String? = nil) {
        self.state = state
        self.code = code
        self.error = error
    }

    /// The failure that ``error`` stands for; nil without one. Errors have names such as `access_denied`; another text is not shown, since any
    /// page can lead a browser here with it.
    var failure: Failure? {
        error.map { error in
            let isName =
                (1...60).contains(error.utf8.count)
                && error.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }
            return Failure(.unauthorized, "The provider did not sign you in" + (isName ? " (\(error))." : "."))
        }
    }
}
