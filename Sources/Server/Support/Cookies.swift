import HTTPTypes
import Hummingbird
import Linden
import LinkRouting

extension ServerOptions {
    /// Whether the visitor's own connection is encrypted, by the trusted proxy's `X-Forwarded-Proto`, else by the scheme of the base URL.
    func isSecure(_ request: Request, from peer: ClientAddress?, _ baseURL: BaseURL) -> Bool {
        if let peer, isTrusted(peer), let scheme = request.header(.forwardedProto) {
            return scheme.lowercased().hasPrefix("https")
        }
        return baseURL.text.hasPrefix("https:")
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
        return "_s" + Secret.hash(origin).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    static func click(_ scope: Scope) -> String { "_c\(scope.app)\(scope.mode.name)" }

    /// Returns the `Set-Cookie` header. Pages of other sites request the ID with a script (`/_r`), so it must be sent across sites, which
    /// browsers allow over https only. Name and value are generated here and need no escaping.
    static func field(_ name: String, _ value: String, for lifetime: Duration, isSecure: Bool) -> HTTPField {
        var text = name
        text += "="
        text += value
        text += "; Max-Age="
        text += String(lifetime.components.seconds)
        text += isSecure ? "; Path=/; Secure; HttpOnly; SameSite=None" : "; Path=/; HttpOnly; SameSite=Lax"
        return HTTPField(name: .setCookie, value: text)
    }

    static let lifetime: Duration = .seconds(365 * 86400)
}

extension HTTPField.Name {
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
