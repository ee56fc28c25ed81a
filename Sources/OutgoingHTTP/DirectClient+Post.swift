import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

extension DirectClient {
    /// Posts JSON and answers with the status; what else comes back is not read. Fails with ``DirectFetchError``, or
    /// `CancellationError` if the task was cancelled.
    ///
    /// - Parameter token: sent as `Authorization: Bearer …`.
    package static func post(_ json: [UInt8], to url: String, token: String?, timeout: Duration) async throws -> Int {
        try await post(json, as: "application/json", to: url, token: token, timeout: timeout) { Int($0.status.code) }
    }

    /// Posts a body of a type and answers with what comes back. Fails as above.
    ///
    /// - Parameter limit: the most that is read of the answer's body, in bytes.
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
