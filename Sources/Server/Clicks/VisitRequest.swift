import HTTPTypes
import Hummingbird
import HummingbirdCore
import LinkRouting
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A request that may be a visit, in the parser's terms: a GET without a body whose target and headers mean the same as in HTTPTypes.
struct VisitRequest: Sendable {
    let head: HTTPRequestHead
    /// The path as it was sent, with percent-encoding.
    let path: String
    let query: String?
    /// The requested host in lower case, without port; empty if it is longer than a host name can be.
    let host: String
    let headers: VisitHeaders
    /// The visitor's primary language.
    let language: String?

    /// Returns nil for a request that the router must handle. This includes all that another layer would normalize, such as white space
    /// around header values, and all that is too large.
    init?(_ head: HTTPRequestHead, _ texts: VisitTexts) {
        guard case .GET = head.method, let (path, query) = Self.parts(of: head.uri) else { return nil }
        let headers = VisitHeaders(head.headers)
        guard headers.isRegular, !headers.announcesBody, headers.byteCount <= FailureMiddleware.longestHeaders else { return nil }
        self.head = head
        self.path = path
        self.query = query
        self.headers = headers
        host = headers.authority.map { texts.host(of: $0) } ?? ""
        language = headers.acceptLanguage.flatMap { texts.language(of: $0) }
    }

    /// Whether the query asks for nothing but the link's destination.
    var isPlain: Bool {
        guard let query else { return true }
        return query != Self.idQuery && !query.hasBytes(of: "debug") && !query.hasBytes(of: "validate")
    }

    /// The query by which a page asks for the id of a click, to send the link by text message (Web SDK up to 2.67).
    static let idQuery = "click=click"

    /// What becomes of the connection after the response.
    var persistence: ConnectionPersistence { ConnectionPersistence(after: head) }

    /// The browser's client hints.
    var clientHints: ClientHints {
        guard headers.hasClientHints else { return ClientHints() }
        return ClientHints { name in
            let values = head.headers[name]
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    /// Returns the value of a cookie; nil if there is none.
    func cookie(_ name: String) -> String? {
        headers.hasCookies ? BrowserCookie.value(of: name, in: head.headers["cookie"]) : nil
    }

    /// The headers with forwarded addresses.
    var forwardedAddresses: ForwardedAddresses {
        headers.isForwarded ? ForwardedAddresses(head.headers["x-forwarded-for"]) : ForwardedAddresses()
    }

    /// The request as the router sees it, for what only few visits need.
    var routed: Request { routed(head) }

    /// ``routed`` with the path alone, for a refusal that does not depend on the query.
    var routedWithoutQuery: Request {
        var head = head
        head.uri = path
        return routed(head)
    }

    private func routed(_ head: HTTPRequestHead) -> Request {
        let head =
            (try? HTTPRequest(head, secure: false, splitCookie: false))
            ?? HTTPRequest(method: .get, scheme: "http", authority: headers.authority, path: head.uri)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    /// Returns the path and the query of a target in origin form; nil for any other target, one beyond ASCII, and one with a fragment.
    private static func parts(of target: String) -> (path: String, query: String?)? {
        guard target.utf8.count <= FailureMiddleware.longestTarget, !CombiningMarks.hasLongRun(percentEncoded: target) else {
            return nil
        }
        var target = target
        let end: Int? = target.withUTF8 { bytes in
            var (highest, fragments): (UInt8, UInt8) = (0, 0)
            // Has no early exit, so that the compiler can compare many bytes at once.
            for byte in bytes {
                highest = max(highest, byte)
                fragments |= byte == UInt8(ascii: "#") ? 1 : 0
            }
            guard bytes.first == UInt8(ascii: "/"), highest < 0x80, fragments == 0 else { return nil }
            return bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        }
        guard let end, end <= FailureMiddleware.longestPath else { return nil }
        guard end < target.utf8.count else { return (target, nil) }
        let mark = target.utf8.index(target.utf8.startIndex, offsetBy: end)
        return (String(target[..<mark]), String(target[target.utf8.index(after: mark)...]))
    }
}
