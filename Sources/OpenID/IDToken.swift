import JWTKit
import LindenKernel

/// The claims of an ID token that the dashboard reads (OpenID Connect Core 1.0, section 2). Its signature is verified before they are.
///
/// A claim that is missing, or of another type, is nil here, and is named by ``check(issuer:client:nonce:at:)``.
struct IDToken: JWTPayload {
    let issuer: String?
    let subject: String?
    let audiences: [String]
    /// Seconds since 1970.
    let expiresAt: Double?
    let issuedAt: Double?
    let authorizedParty: String?
    let nonce: String?
    let email: String?
    let isEmailVerified: Bool
    let preferredUsername: String?

    enum CodingKeys: String, CodingKey {
        case nonce, email
        case issuer = "iss"
        case subject = "sub"
        case audiences = "aud"
        case expiresAt = "exp"
        case issuedAt = "iat"
        case authorizedParty = "azp"
        case isEmailVerified = "email_verified"
        case preferredUsername = "preferred_username"
    }

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ name: CodingKeys) -> String? { try? claims.decode(String.self, forKey: name) }
        issuer = text(.issuer)
        subject = text(.subject)
        audiences = text(.audiences).map { [$0] } ?? (try? claims.decode([String].self, forKey: .audiences)) ?? []
        expiresAt = try? claims.decode(Double.self, forKey: .expiresAt)
        issuedAt = try? claims.decode(Double.self, forKey: .issuedAt)
        authorizedParty = text(.authorizedParty)
        nonce = text(.nonce)
        email = text(.email)
        // Some providers write truth as text.
        isEmailVerified = (try? claims.decode(Bool.self, forKey: .isEmailVerified)) ?? (text(.isEmailVerified) == "true")
        preferredUsername = text(.preferredUsername)
    }

    /// Claims are checked with the server's clock and the sign-in's nonce, see ``check(issuer:client:nonce:at:)``.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// The difference between the clocks of the provider and the server that is accepted, in seconds.
    private static let leeway: Double = 60
    /// The maximum length of a subject in characters.
    private static let longestSubject = 255

    /// Checks the claims (section 3.1.3.7) and returns the subject. Fails with `unauthorized`, which says what is wrong.
    func check(issuer: String, client: String, nonce: String, at now: Timestamp) throws(Failure) -> String {
        let seconds = Double(now.milliseconds) / 1000
        guard self.issuer == issuer else { throw Failure.badToken("is of another issuer") }
        let isForOthers = audiences.count > 1 && authorizedParty == nil || authorizedParty.map { $0 != client } == true
        guard audiences.contains(client), !isForOthers else { throw Failure.badToken("is for another client") }
        guard let expiresAt, expiresAt > seconds - Self.leeway else { throw Failure.badToken("has expired") }
        guard let issuedAt, issuedAt <= seconds + Self.leeway else { throw Failure.badToken("is of a later time") }
        guard self.nonce == nonce else { throw Failure.badToken("is not for this sign-in") }
        guard let subject, (1...Self.longestSubject).contains(subject.count) else {
            throw Failure.badToken("has no valid subject")
        }
        return subject
    }
}

extension Failure {
    static func badToken(_ reason: String) -> Failure {
        Failure(.unauthorized, "The sign-in failed: the provider's ID token \(reason).")
    }
}
