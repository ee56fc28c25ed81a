import LindenKernel

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
    /// The name under which the browser stores the content; nil for a page.
    package var fileName: String?
    package var setCookie: String?
    /// Whether the content at this address never changes.
    package var isImmutable = false

    static func seeOther(_ path: String) -> DashboardAnswer { DashboardAnswer(outcome: .seeOther(path)) }

    /// The policy of all pages: nothing but the dashboard's own files, and nothing inline.
    package static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; \
        base-uri 'none'
        """
}
