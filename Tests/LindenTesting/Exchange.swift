import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import Logging
import NIOCore
import NIOEmbedded
import OutgoingHTTP
import Server

/// Calls to a server through its router, without a network. The caller's address is taken from `X-Forwarded-For`.
package struct Exchange: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let headers: HTTPFields
        package let bytes: [UInt8]
        package var body: String { String(decoding: bytes, as: UTF8.self) }

        /// The body as JSON; null if it is not JSON.
        package var json: JSON { (try? JSON.parse(body)) ?? .null }
        package var object: JSONObject { json.object ?? [:] }
        package var location: String? { headers[.location] }
        /// `error.message` of Branch's error body.
        package var errorMessage: String? { object["error"]?.object?["message"]?.string }
        package var errorCode: JSON? { object["error"]?.object?["code"] }
    }

    package let installation: Installation
    private let responder: LindenResponder
    private let options: ServerOptions

    package var services: Services { installation.services }

    /// The method and path of every route of the server.
    package var calls: [(method: String, path: String)] { LindenServer.calls(services: services, options: options) }

    /// Runs an installation behind a router.
    @discardableResult
    package static func run<Result: Sendable>(
        path: String = ":memory:", outgoing: GuardedClient = GuardedClient(), logoTimeout: Duration = .seconds(3),
        country: @escaping CountryLookup = { _ in nil },
        addressClass: @escaping AddressClassLookup = { _ in .plain }, privacy: AddressPrivacy = AddressPrivacy(),
        trustedProxies: [String] = ["127.0.0.1"], limits: RateLimits = .off, minimumFreeDisk: Int64 = 0,
        freeDisk: @escaping @Sendable () -> Int64? = { nil }, baseURL: String = "https://go.example.com",
        dashboard: DashboardSettings = DashboardSettings(), strictTransport: String? = nil,
        metrics: ServerMetrics = ServerMetrics(),
        requestLog: RequestLog? = nil,
        _ body: @escaping @Sendable (Exchange) async throws -> Result
    ) async throws -> Result {
        try await Installation.run(
            path: path, baseURL: baseURL, country: country, addressClass: addressClass, privacy: privacy, limits: limits,
            dashboardHost: dashboard.host, minimumFreeDisk: minimumFreeDisk, freeDisk: freeDisk
        ) { installation in
            var options = ServerOptions(
                trustedProxies: trustedProxies.map { Network($0)! }, dashboard: dashboard, strictTransport: strictTransport,
                outgoing: outgoing)
            options.logoTimeout = logoTimeout
            options.metrics = metrics
            options.requestLog = requestLog
            let responder = LindenServer.responder(services: installation.services, options: options)
            return try await body(Exchange(installation: installation, responder: responder, options: options))
        }
    }

    package func get(
        _ target: String, host: String? = nil, userAgent: String? = UserAgents.iPhone, from address: String = "203.0.113.7",
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(.get, target, host: host, userAgent: userAgent, from: address, headers: headers, body: nil)
    }

    package func post(_ target: String, _ json: JSON, from address: String = "203.0.113.7", headers: HTTPFields = [:]) async throws
        -> Answer
    {
        try await send(.post, target, userAgent: nil, from: address, headers: headers, body: json.bytes)
    }

    package func put(_ target: String, _ json: JSON) async throws -> Answer {
        try await send(.put, target, userAgent: nil, from: "203.0.113.7", headers: [:], body: json.bytes)
    }

    package func send(
        _ method: HTTPRequest.Method, _ target: String, host: String? = nil, userAgent: String? = nil,
        from address: String = "203.0.113.7", headers: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        let response = try await begin(
            method, target, host: host, userAgent: userAgent, from: address, headers: headers, body: body)
        let collected = BodyCollector()
        try await response.body.write(collected)
        return Answer(status: response.status.code, headers: response.headers, bytes: collected.bytes)
    }

    /// Returns a response whose body is not written yet.
    package func begin(
        _ method: HTTPRequest.Method, _ target: String, host: String? = nil, userAgent: String? = nil,
        from address: String = "203.0.113.7", headers: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> Response {
        var headers = headers
        headers[HTTPField.Name("X-Forwarded-For")!] = address
        if let userAgent { headers[.userAgent] = userAgent }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: host ?? services.baseURL.host, path: target, headerFields: headers)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: "127.0.0.1", port: 40000)
        let context = LindenContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
        return try await responder.respond(to: request, context: context)
    }
}

/// User agents of real visitors.
package enum UserAgents {
    package static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
        + "Mobile/15E148 Safari/604.1"
    package static let android =
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36"
    package static let desktop =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
    package static let googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
}
