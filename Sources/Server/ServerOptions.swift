import Linden
import OutgoingHTTP

/// What the operator may set about HTTP.
package struct ServerOptions: Sendable {
    /// Networks whose `X-Forwarded-For` is believed.
    package var trustedProxies: [Network]
    package var maximumBodyBytes: Int
    package var maximumBulkBytes: Int
    /// For calls that bring neither link data nor events: what SDKs send with them has a few KiB.
    var maximumSmallBodyBytes: Int { min(maximumBodyBytes, 64 << 10) }
    package var connections: ConnectionLimits
    /// How Apple's association file is written.
    package var associationShape: AssociationFiles.Shape
    /// What reads the URLs that strangers give.
    package var outgoing: GuardedClient

    package init(
        trustedProxies: [Network] = [], maximumBodyBytes: Int = ServerOptions.standardBodyBytes,
        maximumBulkBytes: Int = ServerOptions.standardBulkBytes, connections: ConnectionLimits = ConnectionLimits(),
        associationShape: AssociationFiles.Shape = .modern,
        outgoing: GuardedClient = GuardedClient()
    ) {
        self.associationShape = associationShape
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
