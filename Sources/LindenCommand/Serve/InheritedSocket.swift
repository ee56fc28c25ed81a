import Foundation
import LindenKernel

/// A listening socket that the service manager opened for this process (systemd's socket activation, sd_listen_fds(3)).
///
/// It stays open in the service manager, so connections wait in its queue while one server stops and the next one starts.
struct InheritedSocket {
    /// The first descriptor after the standard streams; systemd passes sockets from there on.
    private static let first: CInt = 3

    let descriptor: CInt
    /// The address that it listens on.
    let host: String
    let port: Int

    /// The socket that the environment announces by `LISTEN_PID` and `LISTEN_FDS`; nil if it announces none to this process. Fails with
    /// `unusable` unless it is one listening TCP socket.
    init?(environment: [String: String]) throws {
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"] else { return nil }
        guard count == "1" else {
            throw Failure.unusable("LISTEN_FDS is \"\(count)\" but must be 1: the server takes one listening TCP socket.")
        }
        descriptor = Self.first
        guard Self.isListening(descriptor), let address = Self.address(of: descriptor) else {
            throw Failure.unusable("The inherited socket (file descriptor \(Self.first)) must be a listening TCP socket.")
        }
        (host, port) = address
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func isListening(_ descriptor: CInt) -> Bool {
        var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    /// Returns the numeric address of a TCP socket; nil for one of another family.
    private static func address(of descriptor: CInt) -> (host: String, port: Int)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = ([CChar](repeating: 0, count: Int(NI_MAXHOST)), [CChar](repeating: 0, count: Int(NI_MAXSERV)))
        let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0 && [AF_INET, AF_INET6].contains(CInt($0.pointee.sa_family))
                    && getnameinfo(
                        $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
                        == 0
            }
        }
        guard isNamed, let number = Int(text(port)) else { return nil }
        return (text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
