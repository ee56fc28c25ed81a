import Linden
import LindenKernel
import LinkRouting

/// Whether the dashboard is served, and on which host.
package struct DashboardSettings: Sendable {
    package var isEnabled: Bool
    /// The only host of the dashboard, in lower case; nil for that of the base URL.
    package var host: String?

    package init(isEnabled: Bool = true, host: String? = nil) {
        self.isEnabled = isEnabled
        self.host = host
    }

    /// Returns whether the dashboard is served on a host. The hosts of apps' links are never among them, unless the setting names one. The
    /// names of the machine itself are interchangeable.
    package func serves(host: String, baseURL: BaseURL) -> Bool {
        let own = self.host ?? baseURL.host
        return isEnabled && (host == own || Self.isLoopback(host) && Self.isLoopback(own))
    }

    /// Returns the address of the dashboard's host: the base URL, or its scheme and port with ``host``.
    package func baseURL(_ baseURL: BaseURL) throws -> BaseURL {
        guard let host else { return baseURL }
        let parts = URLParts(baseURL.text)
        return try BaseURL(parts.scheme + "://" + host + (parts.port.map { ":\($0)" } ?? ""))
    }

    /// Returns whether a host is a name or address of the machine itself.
    package static func isLoopback(_ host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) }
}
