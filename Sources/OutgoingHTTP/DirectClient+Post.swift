import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

extension DirectClient {
    /// Posts JSON and returns the response's status; the response's body is not read. Throws ``DirectFetchError``, or `CancellationError`
    /// if the task was cancelled.
    ///
    /// - Parameter token: sent as `Authorization: Bearer …`.
    package static func post(_ json: [UInt8], to url: String, token: String?, timeout: Duration) async throws -> Int {
        try await post(json, as: "application/json", to: url, token: token, timeout: timeout) { Int($0.status.code) }
    }

    /// Posts a body with the given content type and returns the response. Throws like ``post(_:to:token:timeout:)``.
    ///
    /// - Parameter limit: the maximum length of the response's body, in bytes.
    package static func post(
        _ bytes: [UInt8], as type: String, to url: String, limit: Int, timeout: Duration
    ) async throws -> DirectAnswer {
        try await post(bytes, as: type, to: url, token: nil, timeout: timeout) { response in
            DirectAnswer(
                status: Int(response.status.code), headers: response.headers, bytes: try await response.bytes(limit: limit))
        }
    }

    private static func post<Answer: Sendable>(
        _ bytes: [UInt8], as type: String, to url: String, token: String?, timeout: Duration,
        _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await within(timeout) {
                let client = HTTPClient(
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: .single(timeout: timeout))
                defer { client.shutdown { _ in } }
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers = ["content-type": type, "user-agent": "Linden", "connection": "close"]
                if let token { request.headers.add(name: "authorization", value: "Bearer " + token) }
                request.body = .bytes(ByteBuffer(bytes: bytes))
                return try await read(try await client.execute(request, timeout: .afterAll(of: timeout)))
            }
        } catch {
            try Task.checkCancellation()
            throw DirectFetchError(error)
        }
    }
}
