import Connections
import Linden
import LindenKernel
import LindenServices
import OutgoingHTTP
import Traces

/// The operator's options of the HTTP server.
package struct ServerOptions: Sendable {
    /// Networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    package var trustedProxies: [Network]
    package var maximumBodyBytes: Int
    package var maximumBulkBytes: Int
    /// The limit for calls with neither link data nor events. SDKs send a few KiB with them.
    var maximumSmallBodyBytes: Int { min(maximumBodyBytes, 64 << 10) }
    package var connections: ConnectionLimits
    /// The format of Apple's association file.
    package var associationShape: AssociationFiles.Shape
    package var dashboard: DashboardSettings
    /// The value of `Strict-Transport-Security` in answers over https; nil for none.
    package var strictTransport: String?
    /// The client for URLs that untrusted callers supply.
    package var outgoing: GuardedClient
    /// The time for the fetch of a QR code's logo.
    package var logoTimeout = Duration.seconds(3)
    /// The certificate of connections; nil if they are not encrypted, or by a proxy.
    package var certificate: TLSCertificate?
    package var metrics = ServerMetrics()
    /// Nil if no request is traced.
    package var tracer: Tracer?
    /// The log of requests; nil for none.
    package var requestLog: RequestLog?

    package init(
        trustedProxies: [Network] = [], maximumBodyBytes: Int = ServerOptions.standardBodyBytes,
        maximumBulkBytes: Int = ServerOptions.standardBulkBytes, connections: ConnectionLimits = ConnectionLimits(),
        associationShape: AssociationFiles.Shape = .modern, dashboard: DashboardSettings = DashboardSettings(),
        strictTransport: String? = nil, outgoing: GuardedClient = GuardedClient()
    ) {
        self.associationShape = associationShape
        self.dashboard = dashboard
        self.strictTransport = strictTransport
        self.outgoing = outgoing
        self.trustedProxies = trustedProxies
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumBulkBytes = maximumBulkBytes
        self.connections = connections
    }

    package static let standardBodyBytes = 512 << 10
    /// Branch's limit for `POST /v1/url/bulk`.
    package static let standardBulkBytes = 100 * 1024
}
