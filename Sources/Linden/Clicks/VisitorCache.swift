import LindenKernel
import LinkRouting
import Synchronization

/// A cache of visitors by user agent and client hints. Parsing compares them with some hundred names; the same few thousand values repeat.
///
/// Memory is bounded: at most 4096 entries, callers truncate user agents, and hints hold only a few short values. Made-up user agents evict
/// only what was not looked up lately.
package final class VisitorCache: Sendable {
    private struct Key: Hashable {
        let userAgent: String
        let clientHints: ClientHints
    }

    private let visitors = Mutex(TwoGenerationCache<Key, Visitor>(capacity: 4096))

    package init() {}

    package func visitor(userAgent: String, clientHints: ClientHints) -> Visitor {
        let key = Key(userAgent: userAgent, clientHints: clientHints)
        if let known = visitors.withLock({ $0.value(for: key) }) { return known }
        let visitor = Visitor(userAgent: userAgent, clientHints: clientHints)
        visitors.withLock { $0.insert(visitor, for: key) }
        return visitor
    }
}
