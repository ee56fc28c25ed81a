import LinkRouting
import Synchronization

/// Visitors by what their browsers say of themselves. Reading that compares it with some hundred names; the same few thousand come again
/// and again.
///
/// Nobody fills the memory: callers have cut user agents to a sane length, and hints hold no more than a few short values.
final class VisitorCache: Sendable {
    private struct Key: Hashable {
        let userAgent: String
        let clientHints: ClientHints
    }

    private static let capacity = 4096

    private let visitors = Mutex<[Key: Visitor]>([:])

    func visitor(userAgent: String, clientHints: ClientHints) -> Visitor {
        let key = Key(userAgent: userAgent, clientHints: clientHints)
        if let known = visitors.withLock({ $0[key] }) { return known }
        let visitor = Visitor(userAgent: userAgent, clientHints: clientHints)
        visitors.withLock { visitors in
            if visitors.count >= Self.capacity { visitors.removeAll(keepingCapacity: true) }
            visitors[key] = visitor
        }
        return visitor
    }
}
