import Foundation
import LindenKernel
import NIOCore

extension SocketAddress {
    /// The address of a connection's peer; nil for a Unix domain socket. It is not written as text and parsed, since each request needs it.
    package var client: ClientAddress? {
        switch self {
        case .v4(let socket): ClientAddress(IPAddress(socket.address.sin_addr))
        case .v6(let socket): ClientAddress(IPAddress(socket.address.sin6_addr))
        case .unixDomainSocket: nil
        }
    }
}
