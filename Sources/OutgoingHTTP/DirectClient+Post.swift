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
        do {
            return try await within(timeout) {
                let client = HTTPClient(
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: .single(timeout: timeout))
                defer { client.shutdown { _ in } }
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers = ["content-type": "application/json", "user-agent": "Linden", "connection": "close"]
                if let token { request.headers.add(name: "authorization", value: "Bearer " + token) }
                request.body = .bytes(ByteBuffer(bytes: json))
                return Int(try await client.execute(request, timeout: .afterAll(of: timeout)).status.code)
            }
        } catch {
            try Task.checkCancellation()
            throw DirectFetchError(error)
        }
    }
}
