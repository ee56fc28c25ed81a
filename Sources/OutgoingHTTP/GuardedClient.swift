import AsyncHTTPClient
import LindenKernel
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The only client through which the server fetches URLs from untrusted sources; prevents server-side request forgery.
///
/// It connects only to addresses and ports that the ``AddressPolicy`` allows, by default public ones: each name is resolved once, all its
/// addresses are checked, and the connection goes to a checked address even if the name resolves differently later (DNS rebinding).
/// Redirects are followed one at a time with the same checks. Size and time of responses are limited. It sends no cookies or credentials
/// and uses no proxy.
package struct GuardedClient: Sendable {
    static let redirectLimit = 3

    private let policy: AddressPolicy
    private let resolve: NameResolver
    private let eventLoopGroup: any EventLoopGroup
    private let userAgent: String

    package init(
        policy: AddressPolicy = .publicOnly,
        resolver: @escaping NameResolver = SystemNameResolver.addresses(of:for:),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        userAgent: String = "Linden"
    ) {
        self.policy = policy
        self.resolve = resolver
        self.eventLoopGroup = eventLoopGroup
        self.userAgent = userAgent
    }

    /// Returns the body of a URL's response, of at most `limit` bytes; name resolution and redirects count towards `timeout`. Throws
    /// ``FetchError``, or `CancellationError` if the task was cancelled.
    ///
    /// - Parameter parties: the parties that chose the URL, whose name look-ups are limited.
    package func get(
        _ url: String, for parties: [LookupParty] = [], accept: String? = nil, limit: Int, timeout: Duration
    ) async throws -> FetchedBody {
        try await within(timeout) {
            do {
                var url = try OutgoingURL(url)
                for _ in 0...Self.redirectLimit {
                    switch try await request(url, for: parties, accept: accept, limit: limit, timeout: timeout) {
                    case .body(let body): return body
                    case .redirect(let location): url = try url.following(location)
                    }
                }
                throw FetchError.tooManyRedirects
            } catch let error as FetchError {
                throw error
            } catch {
                try Task.checkCancellation()
                throw FetchError.unreachable
            }
        }
    }

    private enum Answer {
        case body(FetchedBody)
        case redirect(String)
    }

    private func request(
        _ url: OutgoingURL, for parties: [LookupParty], accept: String?, limit: Int, timeout: Duration
    ) async throws -> Answer {
        let address = try await checkedAddress(of: url, for: parties)
        let configuration = HTTPClient.Configuration.pinned(url, to: address, limit: limit, timeout: timeout)
        let client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        // Not awaited: closing the connection, too, can take as long as the server likes.
        defer { client.shutdown { _ in } }

        var request = HTTPClientRequest(url: url.description)
        request.headers.add(name: "user-agent", value: userAgent)
        request.headers.add(name: "accept", value: accept ?? "*/*")
        request.headers.add(name: "accept-encoding", value: "identity")
        // An idle connection would keep its client alive until the idle timer fires, a minute after the shutdown.
        request.headers.add(name: "connection", value: "close")
        let response = try await client.execute(request, timeout: .afterAll(of: timeout))

        switch response.status.code {
        case 200:
            let bytes = try await response.bytes(limit: limit)
            return .body(FetchedBody(bytes: bytes, contentType: response.headers.first(name: "content-type")))
        case 301, 302, 303, 307, 308:
            guard let location = response.headers.first(name: "location") else { throw FetchError.unreachable }
            return .redirect(location)
        default:
            throw FetchError.status(Int(response.status.code))
        }
    }

    /// Returns the address to connect to. Throws if any address of the name is not allowed: a name that mixes public and private addresses
    /// is suspicious.
    private func checkedAddress(of url: OutgoingURL, for parties: [LookupParty]) async throws -> IPAddress {
        guard policy.allows(port: url.port) else { throw FetchError.unsupportedURL }
        let addresses =
            switch url.host {
            case .address(let address): [address]
            case .name(let name): try await resolve(name, parties)
            }
        guard let first = addresses.first, addresses.allSatisfy(policy.allows) else { throw FetchError.unreachable }
        return first
    }
}

extension HTTPClient.Configuration {
    /// Configuration of a request that connects to `address`. The name stays in the `Host` header, the TLS handshake and the certificate
    /// check. A URL with an address instead of a name already has it in the spelling that was checked.
    fileprivate static func pinned(_ url: OutgoingURL, to address: IPAddress, limit: Int, timeout: Duration) -> Self {
        var configuration = single(limit: limit, timeout: timeout)
        if case .name(let name) = url.host { configuration.dnsOverride = [name: address.description] }
        return configuration
    }

    /// Configuration of a single HTTP/1.1 request without redirects, retries or decompression, so that the caller sees every response.
    ///
    /// - Parameter limit: the maximum length of the response's body, in bytes.
    static func single(limit: Int, timeout: Duration) -> Self {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: Timeout(connect: .afterAll(of: timeout)),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        configuration.checkResponses(limit: limit)
        // A server that does not end TLS would hold the connection, with a megabyte of root certificates, after the caller has gone on.
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.shutdownTimeout = .milliseconds(100)
        tls.minimumTLSVersion = .tlsv12
        configuration.tlsConfiguration = tls
        configuration.connectionPool.retryConnectionEstablishment = false
        // Trace headers are not sent to other servers.
        configuration.tracing.tracer = nil
        return configuration
    }
}

extension TimeAmount {
    /// The timeout for AsyncHTTPClient's own timers, one second longer than the caller's, so that the caller's overall timeout fires first.
    static func afterAll(of timeout: Duration) -> TimeAmount {
        TimeAmount(timeout) + .seconds(1)
    }
}

extension HTTPClientResponse {
    /// The parts that may be small, and the bytes that further ones have on the average.
    private static let (freeParts, leastPart) = (256, 256)

    /// Returns the body. Throws ``FetchError/tooManyParts``, and ``FetchError/tooLarge(limit:)`` as soon as the announced or the received length
    /// exceeds the limit.
    func bytes(limit: Int) async throws -> [UInt8] {
        if let length = headers.first(name: "content-length").flatMap({ Int($0) }), length > limit {
            throw FetchError.tooLarge(limit: limit)
        }
        var bytes: [UInt8] = []
        var parts = 0
        for try await chunk in body {
            parts += 1
            guard parts <= Self.freeParts + bytes.count / Self.leastPart else { throw FetchError.tooManyParts }
            guard chunk.readableBytes <= limit - bytes.count else { throw FetchError.tooLarge(limit: limit) }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
