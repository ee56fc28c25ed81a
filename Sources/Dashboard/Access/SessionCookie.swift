import LindenServices

/// The cookie that holds the secret of a session.
///
/// Over https its prefix makes browsers refuse it from other hosts and over http. Over http, which is accepted on the machine's own addresses
/// only, it has another name and no prefix, because Safari stores no `Secure` cookies there. Over https that name is never read.
enum SessionCookie {
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-linden" : "linden" }

    /// The names with and without https.
    static let names = [name(isSecure: true), name(isSecure: false)]

    static func setting(_ secret: String, isSecure: Bool) -> String {
        text(secret, isSecure: isSecure, seconds: DashboardSession.lifetime.components.seconds)
    }

    static func removing(isSecure: Bool) -> String { text("", isSecure: isSecure, seconds: 0) }

    private static func text(_ value: String, isSecure: Bool, seconds: Int64) -> String {
        "\(name(isSecure: isSecure))=\(value); Max-Age=\(seconds); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
