import LindenKernel
import OutgoingHTTP

/// The address that a server's monitors ask: the setting `http.admin_address`.
struct AdminAddress: Sendable, Equatable, CustomStringConvertible {
    /// An IP address without brackets, or a name.
    let host: String
    let port: Int

    /// Parses a host and port, such as `127.0.0.1:9091` or `[::1]:9091`. Fails with what is allowed.
    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port)
        else {
            throw Self.wrong
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = port
        guard !self.host.isEmpty, isBracketed == self.host.contains(":") else { throw Self.wrong }
    }

    private static let wrong = Failure.unusable("must be an address and a port such as 127.0.0.1:9091 or [::1]:9091")

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether other machines anywhere may reach it: an address of the internet, or all addresses of this machine.
    var isOpen: Bool {
        guard let address = IPAddress(host) else { return false }
        return address.isPublic || host == "0.0.0.0" || host == "::"
    }
}
