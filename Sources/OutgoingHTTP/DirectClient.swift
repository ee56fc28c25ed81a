import AsyncHTTPClient
import LindenKernel
import LinkRouting
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An HTTP client for hosts that the operator configured. Connects to any address, private ones included, follows no redirects, accepts any
/// status, and reports detailed errors. For URLs from untrusted sources use ``GuardedClient``.
package struct DirectClient: Sendable {
    /// A server to connect to instead of the address that a host name resolves to.
    package struct Place: Sendable {
        package let host: String
        package let port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    private let place: Place?
    private let authorities: [NIOSSLCertificate]

    /// - Parameters:
    ///   - place: the server to connect to, whatever the URL's host resolves to. Certificates are still verified against the URL's host.
    ///   - authorities: a PEM file of certificates to trust in addition to the system's. Throws if it holds none.
    package init(connectingTo place: Place? = nil, trusting authorities: String? = nil) throws {
        self.place = place
        self.authorities = try authorities.map { try NIOSSLCertificate.fromPEMFile($0) } ?? []
    }

    /// Sends one GET request. Throws ``DirectFetchError``, or `CancellationError` if the task was cancelled.
    ///
    /// - Parameters:
    ///   - url: a URL without a port.
    ///   - limit: the maximum length of the response's body, in bytes.
    package func get(_ url: String, limit: Int, timeout: Duration) async throws -> DirectAnswer {
        do {
            return try await within(timeout) { try await request(OutgoingURL(url), limit: limit, timeout: timeout) }
        } catch {
            try Task.checkCancellation()
            throw DirectFetchError(error)
        }
    }

    private func request(_ url: OutgoingURL, limit: Int, timeout: Duration) async throws -> DirectAnswer {
        var configuration = HTTPClient.Configuration.single(limit: limit, timeout: timeout)
        var target = url.description
        if let place {
            configuration.dnsOverride = [url.host.description: place.host]
            target = url.description(port: place.port)
        }
        configuration.tlsConfiguration?.additionalTrustRoots = [.certificates(authorities)]
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        defer { client.shutdown { _ in } }

        var request = HTTPClientRequest(url: target)
        request.headers = ["host": url.host.description, "user-agent": "Linden", "accept": "*/*", "connection": "close"]
        let response = try await client.execute(request, timeout: .afterAll(of: timeout))
        return DirectAnswer(
            status: Int(response.status.code), headers: response.headers, bytes: try await response.bytes(limit: limit))
    }
}

/// A server's response.
package struct DirectAnswer: Sendable {
    package let status: Int
    private let headers: HTTPHeaders
    package let bytes: [UInt8]

    init(status: Int, headers: HTTPHeaders, bytes: [UInt8]) {
        self.status = status
        self.headers = headers
        self.bytes = bytes
    }

    /// Returns a header, of which 8 KiB are kept, and 30 combining marks in a row: any server may have sent it.
    package func header(_ name: String) -> String? {
        headers.first(name: name).map { CombiningMarks.cut($0.prefix(bytes: 8192)) }
    }
}
