import LinkRouting
import Synchronization

/// A cache of visitors by user agent and client hints. Parsing compares them with some hundred names; the same few thousand values repeat.
///
/// Memory is bounded: at most 4096 entries, callers truncate user agents, and hints hold only a few short values.
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
