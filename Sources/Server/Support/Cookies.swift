import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LinkRouting

extension ServerOptions {
    /// Whether the visitor's own connection is encrypted, by the trusted proxy's `X-Forwarded-Proto`, else by the scheme of the base URL.
    func isSecure(_ request: Request, from peer: ClientAddress?, _ baseURL: BaseURL) -> Bool {
        isSecure(forwardedScheme: request.header(.forwardedProto), from: peer, baseURL)
    }

    /// - Parameter forwardedScheme: the first `X-Forwarded-Proto`.
    func isSecure(forwardedScheme: String?, from peer: ClientAddress?, _ baseURL: BaseURL) -> Bool {
        if let peer, isTrusted(peer), let forwardedScheme {
            return forwardedScheme.lowercased().hasPrefix("https")
        }
        return baseURL.text.hasPrefix("https:")
    }

    /// The value of `Strict-Transport-Security` for an answer; nil if it is off, or the visitor's connection is not encrypted.
    func strictTransport(forwardedScheme: String?, from peer: ClientAddress?, _ baseURL: BaseURL) -> String? {
        strictTransport != nil && isSecure(forwardedScheme: forwardedScheme, from: peer, baseURL) ? strictTransport : nil
    }
}

/// The cookies on link hosts: the browser's ID, which is not disclosed to pages; for the Web SDK, an ID per site; and, per app, the last
/// click.
enum BrowserCookie {
    /// The name of Branch's cookie.
    static let number = "_s"

    /// Returns the cookie name for the site of a page; nil if the URL has no host.
    static func number(site page: String) -> String? {
        let parts = URLParts(page)
        guard !parts.host.isEmpty else { return nil }
        let origin = "\(parts.scheme)://\(parts.host):\(parts.port ?? 0)"
        return "_s" + Hex.encode(Secret.hash(origin).prefix(8))
    }

    static func click(_ scope: Scope) -> String { "_c" + String(scope.app.rawValue) + scope.mode.name }

    /// Returns the `Set-Cookie` header. Pages of other sites request the ID with a script (`/_r`), so it must be sent across sites, which
    /// browsers allow over https only. Name and value are generated here and need no escaping.
    static func field(_ name: String, _ value: String, for lifetime: Duration, isSecure: Bool) -> HTTPField {
        HTTPField(name: .setCookie, value: text(name, value, for: lifetime, isSecure: isSecure))
    }

    /// Returns the value of the header, see ``field(_:_:for:isSecure:)``.
    static func text(_ name: String, _ value: String, for lifetime: Duration, isSecure: Bool) -> String {
        var text = name
        text.reserveCapacity(usualBytes)
        text += "="
        text += value
        text += "; Max-Age="
        text += String(lifetime.components.seconds)
        text += isSecure ? "; Path=/; Secure; HttpOnly; SameSite=None" : "; Path=/; HttpOnly; SameSite=Lax"
        return text
    }

    /// Returns the value of a cookie in the first 8 KiB of the values of `Cookie`; nil if there is none. One pass over their bytes, which
    /// allocates nothing for other cookies.
    static func value(of name: String, in headers: [String]) -> String? {
        var left = longest
        for header in headers where left > 0 {
            var unread = header.utf8.prefix(left)
            left -= unread.count
            while !unread.isEmpty {
                let end = unread.firstIndex(of: UInt8(ascii: ";")) ?? unread.endIndex
                let pair = unread[..<end].drop { $0 == UInt8(ascii: " ") }
                unread = unread[end...].dropFirst()
                guard pair.starts(with: name.utf8) else { continue }
                let rest = pair.dropFirst(name.utf8.count)
                if rest.first == UInt8(ascii: "=") { return String(Substring(rest.dropFirst())) }
            }
        }
        return nil
    }

    private static let longest = 8 << 10

    /// The usual maximum length of a cookie's text in bytes.
    private static let usualBytes = 112

    static let lifetime: Duration = .seconds(365 * 86400)
}

extension HTTPField.Name {
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
