import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OutgoingHTTP
import Synchronization

/// A server with an image on loopback, and a client that may connect to it.
struct LogoServer: Sendable {
    let url: String
    let client: GuardedClient
    fileprivate let requests: Requests

    /// The number of requests for the image.
    var requestCount: Int { requests.count.withLock { $0 } }

    /// Answers the requests for `/slow.png`, which wait until then.
    func release() { requests.isReleased.withLock { $0 = true } }

    fileprivate final class Requests: Sendable {
        let count = Mutex(0)
        let isReleased = Mutex(false)
    }

    static func run(_ body: @escaping @Sendable (LogoServer) async throws -> Void) async throws {
        let (router, requests) = (Router(), Requests())
        router.get("/logo.png") { _, _ in
            requests.count.withLock { $0 += 1 }
            return Response(status: .ok, headers: [.contentType: "image/png"], body: .init(byteBuffer: logo))
        }
        router.get("/slow.png") { _, _ in
            while !requests.isReleased.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            return Response(status: .ok, headers: [.contentType: "image/png"], body: .init(byteBuffer: logo))
        }
        router.get("/garbage.png") { _, _ in Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "no image"))) }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: router.buildResponder(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "logos") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = await ports.first { _ in true } ?? 0
            let policy = AddressPolicy(ports: [port], exceptions: ["127.0.0.1/32"])
            try await body(
                LogoServer(url: "http://127.0.0.1:\(port)", client: GuardedClient(policy: policy), requests: requests))
            group.cancelAll()
        }
    }

    /// A green square.
    private static let logo = ByteBuffer(
        bytes: Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGPQyfPEihiGlgQAJdI4wSc9jVgAAAAASUVORK5CYII=")!)
}
