import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

extension DirectClient {
    /// Posts JSON and returns the response's status; the response's body is not read. Throws ``DirectFetchError``, or `CancellationError`
    /// if the task was cancelled.
    ///
    /// - Parameters:
    ///   - token: sent as `Authorization: Bearer …`.
    ///   - headers: further headers of the request.
    package static func post(
        _ json: [UInt8], to url: String, token: String? = nil, headers: [(name: String, value: String)] = [], timeout: Duration
    ) async throws -> Int {
        var request = plainRequest(url, ["content-type": "application/json"], authorization: token.map { "Bearer " + $0 })
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: json))
        return try await send(request, limit: 0, timeout: timeout) { Int($0.status.code) }
    }

    /// Posts a body with the given content type and returns the response. Throws like ``post(_:to:token:headers:timeout:)``.
    ///
    /// - Parameters:
    ///   - authorization: the value of the header `Authorization`; nil for none.
    ///   - limit: the maximum length of the response's body, in bytes.
    package static func post(
        _ bytes: [UInt8], as type: String, to url: String, authorization: String? = nil, limit: Int, timeout: Duration
    ) async throws -> DirectAnswer {
        var request = plainRequest(url, ["content-type": type], authorization: authorization)
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: bytes))
        return try await send(request, limit: limit, timeout: timeout) { try await DirectAnswer($0, limit: limit) }
    }

    /// Requests JSON from a URL, which may have a port, and returns the response. Throws like ``post(_:to:token:headers:timeout:)``.
    ///
    /// - Parameters:
    ///   - authorization: the value of the header `Authorization`; nil for none.
    ///   - limit: the maximum length of the response's body, in bytes.
    package static func getJSON(
        _ url: String, authorization: String? = nil, limit: Int, timeout: Duration
    ) async throws -> DirectAnswer {
        let request = plainRequest(url, ["accept": "application/json"], authorization: authorization)
        return try await send(request, limit: limit, timeout: timeout) { try await DirectAnswer($0, limit: limit) }
    }

    /// Requests a URL with the user agent of a browser, and returns the response. Throws like ``post(_:to:token:headers:timeout:)``.
    ///
    /// - Parameter limit: the maximum length of the response's body, in bytes.
    package static func get(_ url: String, userAgent: String, limit: Int, timeout: Duration) async throws -> DirectAnswer {
        var request = HTTPClientRequest(url: url)
        request.headers = ["user-agent": userAgent, "accept": "text/html,*/*;q=0.8", "connection": "close"]
        return try await send(request, limit: limit, timeout: timeout) { try await DirectAnswer($0, limit: limit) }
    }

    /// Sends a request with any method, and returns the response. Throws like ``post(_:to:token:headers:timeout:)``.
    ///
    /// - Parameter limit: the maximum length of the response's body, in bytes.
    static func send(
        _ method: HTTPMethod, to url: String, headers: [(String, String)], _ bytes: [UInt8], limit: Int, timeout: Duration
    ) async throws -> DirectAnswer {
        var request = plainRequest(url, HTTPHeaders(headers), authorization: nil)
        request.method = method
        if method == .PUT || method == .POST { request.body = .bytes(ByteBuffer(bytes: bytes)) }
        // The length in the head is that of the body which a GET would have.
        if method == .HEAD { return try await send(request, limit: limit, timeout: timeout) { DirectAnswer(head: $0) } }
        return try await send(request, limit: limit, timeout: timeout) { try await DirectAnswer($0, limit: limit) }
    }

    private static func plainRequest(_ url: String, _ headers: HTTPHeaders, authorization: String?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers = headers
        request.headers.add(contentsOf: [("user-agent", "Linden"), ("connection", "close")])
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        return request
    }

    private static func send<Answer: Sendable>(
        _ request: HTTPClientRequest, limit: Int, timeout: Duration,
        _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await within(timeout) {
                let client = HTTPClient(
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: .single(limit: limit, timeout: timeout))
                defer { client.shutdown { _ in } }
                return try await read(try await client.execute(request, timeout: .afterAll(of: timeout)))
            }
        } catch {
            try Task.checkCancellation()
            throw DirectFetchError(error)
        }
    }
}

extension DirectAnswer {
    fileprivate init(head response: HTTPClientResponse) {
        self.init(status: Int(response.status.code), headers: response.headers, bytes: [])
    }

    fileprivate init(_ response: HTTPClientResponse, limit: Int) async throws {
        self.init(
            status: Int(response.status.code), headers: response.headers, bytes: try await response.bytes(limit: limit))
    }
}
