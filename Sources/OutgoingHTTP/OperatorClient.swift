import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

/// Calls services that the operator named in the settings: unlike strangers' URLs they may lie on his own network.
package struct OperatorClient: Sendable {
    private let eventLoopGroup: any EventLoopGroup

    package init(eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) {
        self.eventLoopGroup = eventLoopGroup
    }

    /// Posts JSON and answers with the status; what else comes back is not read. Fails with ``FetchError``.
    ///
    /// - Parameter token: sent as `Authorization: Bearer …`.
    package func post(_ json: [UInt8], to url: String, token: String?, timeout: Duration) async throws -> Int {
        try await within(timeout) {
            let client = HTTPClient(
                eventLoopGroup: eventLoopGroup, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
            defer { client.shutdown { _ in } }
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "user-agent", value: "Linden")
            request.headers.add(name: "connection", value: "close")
            if let token { request.headers.add(name: "authorization", value: "Bearer " + token) }
            request.body = .bytes(ByteBuffer(bytes: json))
            do {
                return Int(try await client.execute(request, timeout: .seconds(60)).status.code)
            } catch {
                try Task.checkCancellation()
                throw FetchError.unreachable
            }
        }
    }
}
