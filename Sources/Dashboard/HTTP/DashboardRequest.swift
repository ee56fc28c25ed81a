import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting

/// A request to the dashboard, as far as its pages read it.
package struct DashboardRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package let method: Method
    /// The path as it was sent, with percent-encoding.
    package let path: String
    package let query: String?
    /// The requested host with its port, as sent.
    package let authority: String
    /// `Origin` and `Sec-Fetch-Site`, by which browsers name the page that sent a form.
    package let origin: String?
    package let fetchSite: String?
    /// Whether the user's own connection is encrypted.
    package let isSecure: Bool
    package let address: ClientAddress
    package let cookie: @Sendable (_ name: String) -> String?
    package let contentType: String
    /// A form: `application/x-www-form-urlencoded`, or `multipart/form-data` with a file.
    package let body: [UInt8]

    package init(
        method: Method, path: String, query: String?, authority: String, origin: String?, fetchSite: String?, isSecure: Bool,
        address: ClientAddress, cookie: @escaping @Sendable (_ name: String) -> String?, contentType: String = "", body: [UInt8]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.authority = authority
        self.origin = origin
        self.fetchSite = fetchSite
        self.isSecure = isSecure
        self.address = address
        self.cookie = cookie
        self.contentType = contentType
        self.body = body
    }

    /// The maximum length of a page's path and query in bytes.
    package static let mostAddressBytes = 8 << 10

    /// Returns the maximum size in bytes of a form that is sent to a path: what signing in takes, and more for a page that needs a session, in
    /// particular for a form with a file. The cookie is not checked yet, and anyone can send one: a page that needs no session reads no more for
    /// it, and the others read no form of a browser whose session is not valid.
    package static func mostBytes(ofForm path: String, cookie: (_ name: String) -> String?) -> Int {
        guard let (route, _) = DashboardRoute.find(.post, path), route.access != .anyone,
            SessionCookie.names.contains(where: { cookie($0) != nil })
        else { return 8 << 10 }
        return path.hasSuffix("/links/import") ? LinkImport.mostBytes + (8 << 10) : 128 << 10
    }

    /// Whether one of the dashboard's own pages sent the request. All browsers send one of the two headers with a form, and no page can set
    /// them. A page at another port, or at http beside https, counts as another site's.
    var isFromOwnPage: Bool {
        if let fetchSite { return fetchSite == "same-origin" }
        guard let origin, let mark = origin.firstRange(of: "://") else { return false }
        let scheme = origin[..<mark.lowerBound]
        guard scheme == "https" || !isSecure && scheme == "http" else { return false }
        let port = scheme == "https" ? 443 : 80
        let (own, other) = (URLParts.hostAndPort(authority), URLParts.hostAndPort(origin[mark.upperBound...]))
        return !own.host.isEmpty && own.host == other.host && own.port ?? port == other.port ?? port
    }

    /// The most fields of a form: it is read several times.
    private static let mostFields = 1000

    /// Fails with `invalid` for a form of more fields than any page's has.
    func checkFields() throws {
        guard contentType.hasPrefix("application/x-www-form-urlencoded") else { return }
        guard body.count(where: { $0 == UInt8(ascii: "&") }) < Self.mostFields else {
            throw Failure.invalid("A form may have at most \(Self.mostFields) fields.")
        }
    }

    /// Whether the request is made to this machine itself, by name or loopback address.
    var isOnLoopback: Bool { DashboardSettings.isLoopback(URLParts.hostAndPort(authority).host) }
}

/// The fields of a form or a query.
struct FormFields: Sendable {
    private let items: [QueryItem]

    init(_ text: String) {
        items = URLParts.queryItems(text)
    }

    /// Returns a field without surrounding white space; empty if it is missing.
    subscript(name: String) -> String {
        exact(name).trimmed
    }

    /// Returns a field exactly as it was sent, as a password and a user's id must be; empty if it is missing.
    func exact(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }

    /// Returns the non-empty values of a field that may be sent more than once.
    func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value.trimmed).filter { !$0.isEmpty } }

    /// Returns a field as in the subscript; nil if it is empty.
    func text(_ name: String) -> String? {
        let value = self[name]
        return value.isEmpty ? nil : value
    }
}

extension StringProtocol {
    /// The text without surrounding white space. By scalars: where a character begins is costly to find from behind.
    var trimmed: String {
        let rest = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: rest[...last])
        return String(kept)
    }
}
