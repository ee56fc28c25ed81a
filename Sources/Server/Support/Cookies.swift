import HTTPTypes
import Hummingbird
import Linden
import LinkRouting

extension ServerOptions {
    /// Whether the visitor's own connection is encrypted: what the proxy in front says, else what the base URL says.
    func isSecure(_ request: Request, from peer: ClientAddress?, _ baseURL: BaseURL) -> Bool {
        if let peer, isTrusted(peer), let scheme = request.header(.forwardedProto) {
            return scheme.lowercased().hasPrefix("https")
        }
        return baseURL.text.hasPrefix("https:")
    }
}

/// What a browser keeps on the hosts of links: its own number, which no page is told; a number for each site with the Web SDK; and, for
/// each app, what it clicked last.
enum BrowserCookie {
    /// Branch's name for it.
    static let number = "_s"

    /// Of the site that a page is on; nil where its browser does not say.
    static func number(site page: String) -> String? {
        let parts = URLParts(page)
        guard !parts.host.isEmpty else { return nil }
        let origin = "\(parts.scheme)://\(parts.host):\(parts.port ?? 0)"
        return "_s" + Secret.hash(origin).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    static func click(_ scope: Scope) -> String { "_c\(scope.app)\(scope.mode.name)" }

    /// The header that keeps a value. Pages of other sites ask for the number by a script (`/_r`), so it must travel across sites, which
    /// browsers allow over https only. Name and value are words of ours, which need no checking.
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
