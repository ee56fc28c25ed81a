import Connections
import Hummingbird
import LindenKernel
import LindenServices
import Logging
import NIOCore

/// The context of a request: its connection's address and its admission by the limits.
package struct LindenContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The request's connection.
    let channel: any Channel
    /// The address of the connection's peer; nil without one, as with a Unix domain socket.
    let peer: ClientAddress?
    /// The address of the request's client, see ``ServerOptions/client(by:from:)``. ``LindenResponder`` sets it.
    var client = ClientAddress.unknown
    /// The request's admission by the limits; nil if it is not limited.
    var admission: Admission?
    /// Whether the limits counted the request before it reached the router.
    var isRequestCounted = false
    /// Whether a page's script made the call as JSONP.
    var isJSONP = false
    /// The turn of the call; nil for a client whose network is not counted.
    var callTurn: ClientTurn?

    /// The request's client, if it was determined before the responder.
    private(set) var knownClient: ServerOptions.Client?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress.flatMap { ClientAddress($0) }
    }

    /// The context of a request whose peer and client are known.
    init(channel: any Channel, peer: ClientAddress?, client: ServerOptions.Client, logger: Logger) {
        coreContext = .init(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        self.channel = channel
        self.peer = peer
        knownClient = client
    }
}
