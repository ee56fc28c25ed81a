import Foundation
import LindenKernel

/// A search for a TCP port that is not in use.
enum FreePort {
    static func find(host: String) throws -> Int {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "0", &hints, &found) == 0, let info = found else {
            throw Failure.setting("http.host", host, "it must be an address of this machine")
        }
        defer { freeaddrinfo(info) }
        let descriptor = socket(info.pointee.ai_family, info.pointee.ai_socktype, 0)
        defer { close(descriptor) }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure.setting("http.host", host, "it must be an address of this machine") }
        // Socket addresses of IPv4 and IPv6 both have the port directly after the family.
        return withUnsafeBytes(of: &address) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
    }
}
