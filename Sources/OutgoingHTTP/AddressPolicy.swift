/// Where the server may connect to on behalf of strangers.
package struct AddressPolicy: Sendable {
    /// The public internet, on the ports of the web.
    package static let publicOnly = AddressPolicy()

    private let ports: Set<Int>
    private let exceptions: [IPNetwork]

    /// The ports that may be used, and networks that may be reached although they are not public.
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
