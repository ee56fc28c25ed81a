import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The client for hosts that the operator names himself. It goes wherever they lead, private addresses too, follows no redirect,
/// takes any status, and says what went wrong. Not for URLs that strangers gave: see ``GuardedClient``.
package struct DirectClient: Sendable {
    /// A server to ask instead of the one that a name leads to.
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
    ///   - place: where to connect, whatever the URL's host leads to. Certificates are checked for the URL's host all the same.
    ///   - authorities: a file of certificates to trust beside the system's, in PEM. Fails if it holds none.
    package init(connectingTo place: Place? = nil, trusting authorities: String? = nil) throws {
        self.place = place
        self.authorities = try authorities.map { try NIOSSLCertificate.fromPEMFile($0) } ?? []
    }

    /// Asks a URL once. Fails with ``DirectFetchError``, or `CancellationError` if the task was cancelled.
    ///
    /// - Parameters:
    ///   - url: without a port.
    ///   - limit: the most that is read of the body, in bytes.
    package func get(_ url: String, limit: Int, timeout: Duration) async throws -> DirectAnswer {
        do {
            return try await within(timeout) { try await request(OutgoingURL(url), limit: limit, timeout: timeout) }
        } catch {
            try Task.checkCancellation()
            throw DirectFetchError(error)
        }
    }

    private func request(_ url: OutgoingURL, limit: Int, timeout: Duration) async throws -> DirectAnswer {
        var configuration = HTTPClient.Configuration.single(timeout: timeout)
        var target = url.description
        if let place {
            configuration.dnsOverride = [url.host.description: place.host]
            target = url.description(port: place.port)
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [.certificates(authorities)]
        configuration.tlsConfiguration = tls
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        defer { client.shutdown { _ in } }

        var request = HTTPClientRequest(url: target)
        request.headers = ["host": url.host.description, "user-agent": "Linden", "accept": "*/*", "connection": "close"]
        let response = try await client.execute(request, timeout: .afterAll(of: timeout))
        return DirectAnswer(
            status: Int(response.status.code), headers: response.headers, bytes: try await response.bytes(limit: limit))
    }
}

/// What a server answered.
package struct DirectAnswer: Sendable {
    package let status: Int
    private let headers: HTTPHeaders
    package let bytes: [UInt8]

    init(status: Int, headers: HTTPHeaders, bytes: [UInt8]) {
        self.status = status
        self.headers = headers
        self.bytes = bytes
    }

    package func header(_ name: String) -> String? { headers.first(name: name) }
}
