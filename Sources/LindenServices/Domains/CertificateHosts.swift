import Linden
import LindenKernel

/// The hosts that a proxy in front may get certificates for: those of apps' links, of the base URL and of the dashboard.
///
/// Any client makes a proxy ask, by naming a host in its TLS handshake, which costs far more than the look-up. The look-ups have no rate:
/// one that strangers used up would refuse apps' own hosts, too.
package struct CertificateHosts: Sendable {
    private let links: LinkDirectory
    private let baseURL: BaseURL

    init(links: LinkDirectory, baseURL: BaseURL) {
        self.links = links
        self.baseURL = baseURL
    }

    /// Whether a host may have a certificate. False for text that is no host name.
    package func contains(_ text: String, dashboard: DashboardSettings) async throws -> Bool {
        guard let host = try? Domain.normalizedHost(text) else { return false }
        if host == baseURL.host || dashboard.serves(host: host, baseURL: baseURL) { return true }
        return try await links.domain(host) != nil
    }
}
