import LindenKernel

/// The addresses and ports to which the server may connect for URLs from untrusted sources.
package struct AddressPolicy: Sendable {
    /// Public addresses only, on ports 80 and 443.
    package static let publicOnly = AddressPolicy()

    private let ports: Set<Int>
    private let exceptions: [IPNetwork]

    /// - Parameters:
    ///   - ports: the allowed ports.
    ///   - exceptions: networks that are allowed although they are not public.
    package init(ports: Set<Int> = [80, 443], exceptions: [IPNetwork] = []) {
        self.ports = ports
        self.exceptions = exceptions
    }

    package func allows(_ address: IPAddress) -> Bool {
        address.isPublic || exceptions.contains { $0.contains(address) }
    }

    package func allows(port: Int) -> Bool {
        ports.contains(port)
    }
}
