import Linden
import LindenKernel
import LinkRouting
import NIOCore

/// The redirect that answers a visit, written as the bytes of its response.
struct VisitRedirect: Sendable {
    /// The destination, which must be valid as the value of a header.
    let location: ClickURL
    let clickID: String
    /// The values of `Set-Cookie`.
    var cookies: [String] = []
    /// The value of `Strict-Transport-Security`.
    var strictTransport: String?

    /// Returns the complete response.
    ///
    /// - Parameter persistence: what becomes of the connection after it.
    func bytes(in allocator: ByteBufferAllocator, at date: String, persistence: ConnectionPersistence) -> ByteBuffer {
        var bytes = allocator.buffer(capacity: Self.usualBytes)
        bytes.writeStaticString("HTTP/1.1 302 Found\r\nLocation: ")
        bytes.writeString(location.prefix)
        if location.hasClickID {
            bytes.writeString(clickID)
            bytes.writeString(location.suffix)
        }
        bytes.writeString(Self.fixedHeaders)
        for cookie in cookies {
            bytes.writeStaticString("Set-Cookie: ")
            bytes.writeString(cookie)
            bytes.writeStaticString("\r\n")
        }
        if let strictTransport {
            bytes.writeStaticString("Strict-Transport-Security: ")
            bytes.writeString(strictTransport)
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("Date: ")
        bytes.writeString(date)
        if let connection = persistence.header {
            bytes.writeStaticString("\r\nConnection: ")
            bytes.writeString(connection)
        }
        bytes.writeStaticString("\r\n\r\n")
        return bytes
    }

    /// The headers of every redirect to a visitor whose request names no origin, see ``HTTPFields/allowOrigin(of:)``.
    private static let fixedHeaders =
        "\r\nCache-Control: no-store\r\nAccept-CH: \(ClientHints.acceptCH)\r\nVary: Accept, User-Agent, Origin\r\n"
        + "Access-Control-Allow-Origin: *\r\nContent-Length: 0\r\n"

    private static let usualBytes = 1 << 10
}

extension VisitResult {
    var isRecorded: Bool { clickID != "0" }

    /// The URL of a redirect, which gets the click's id only if the visit was recorded; nil for a page.
    var location: ClickURL? {
        guard !isRecorded, case .redirect(let target) = destination.action else { return decision.location }
        return ClickURL(.unchanged(target.address))
    }
}

extension ClickCookies {
    /// The values of `Set-Cookie`: the browser's id and its last click on the app.
    ///
    /// - Parameter click: the click's public id.
    func texts(_ ids: PublicIDs, click: String, isSecure: Bool) -> [String] {
        [
            BrowserCookie.text(BrowserCookie.number, ids.string(for: browser), for: BrowserCookie.lifetime, isSecure: isSecure),
            BrowserCookie.text(BrowserCookie.click(scope), click, for: window, isSecure: isSecure),
        ]
    }
}
