import Connections
import NIOCore
import NIOHTTP1

/// A call of an SDK whose body is small enough to be collected on the connection's event loop, or a health check.
struct SmallCall: Sendable {
    let head: HTTPRequestHead
    private(set) var body: ByteBuffer?

    /// Returns nil for a request that is forwarded as it arrives: another call, one in chunks, one whose body may be large, and one
    /// whose client waits to be asked for its body.
    init?(_ head: HTTPRequestHead) {
        guard head.isHealthCheck || head.method == .POST && Self.paths.contains(head.uri) else { return nil }
        let lengths = head.headers["content-length"]
        guard lengths.count <= 1, !head.headers.contains(name: "transfer-encoding"), !head.headers.contains(name: "expect"),
            let length = lengths.first.map({ Int($0) }) ?? (head.method == .GET ? 0 : nil),
            length <= ConnectionLimits.uncountedBodyBytes
        else { return nil }
        self.head = head
    }

    /// The most frequent calls of SDKs, as they send them.
    private static let paths: Set<String> = [
        "/v1/open", "/v1/install", "/v1/close", "/v1/profile", "/v1/logout", "/v1/url", "/v1/event", "/v1/pageview",
        "/v2/event/standard", "/v2/event/custom",
    ]

    func with(_ part: ByteBuffer) -> SmallCall {
        var call = self
        call.body.setOrWriteImmutableBuffer(part)
        return call
    }

    /// What becomes of the connection after the response.
    var persistence: ConnectionPersistence { ConnectionPersistence(after: head) }
}
