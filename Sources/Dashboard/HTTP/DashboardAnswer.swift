import Linden
import LindenKernel
import LindenReporting

/// A response of the dashboard. The server maps failures to statuses.
package struct DashboardAnswer: Sendable {
    package enum Outcome: Sendable {
        case found
        /// The browser reads another page, with GET.
        case seeOther(String)
        case failed(Failure.Code, retryAfter: Int? = nil)
        /// An error of the program or the system, which is logged.
        case broken
    }

    package var outcome: Outcome = .found
    package var contentType = "text/html; charset=utf-8"
    package var body: [UInt8] = []
    /// A long body in place of ``body``, with the app whose data it has.
    package var file: (source: any ByteSource, app: App.ID)?
    /// The name under which the browser stores the content; nil for a page.
    package var fileName: String?
    /// The values of the header `Set-Cookie`.
    package var cookies: [String] = []
    /// What the server sends as it happens, in place of a body.
    package var stream: DashboardStream?
    /// Whether the page's script may send requests to the dashboard.
    package var connectsToItself = false
    /// Whether the page is for people without a sign-in, who have its address: no search engine may list it, and the address, which has a
    /// secret, is named to no other site.
    package var isShared = false
    /// Whether the content at this address never changes.
    package var isImmutable = false

    static func seeOther(_ path: String) -> DashboardAnswer { DashboardAnswer(outcome: .seeOther(path)) }

    /// The policy of a page: nothing but the dashboard's own files, and nothing inline.
    package var contentSecurityPolicy: String {
        Self.standardPolicy + (connectsToItself ? "; connect-src 'self'" : "")
    }

    private static let standardPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; \
        base-uri 'none'
        """
}
