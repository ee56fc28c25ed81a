import Hummingbird
import Linden
import NIOCore

/// What is known of a request beside the request itself.
package struct LindenContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection; nil where there is none, as over a pipe.
    let peer: ClientAddress?
    /// The request before the limits; nil where they do not count it.
    var admission: Admission?
    /// Whether the limits counted the request before it reached the router.
    var isRequestCounted = false

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress.flatMap { ClientAddress($0) }
    }
}
