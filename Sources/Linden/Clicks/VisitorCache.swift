import LindenKernel
import LinkRouting
import Synchronization

/// A cache of visitors by user agent and client hints. Parsing compares them with some hundred names; the same few thousand values repeat.
///
/// Memory is bounded: at most 4096 entries, callers truncate user agents, and hints hold only a few short values. Made-up user agents evict
/// only what was not looked up lately.
package final class VisitorCache: Sendable {
    /// The user agent is compared by its bytes, as it is parsed. Client hints are ASCII.
    private struct Key: Hashable {
        let userAgent: BytewiseText
        let clientHints: ClientHints
    }

    private struct State {
        var visitors = TwoGenerationCache<Key, Visitor>(capacity: 4096)
        var use = CacheUse()
    }

    private let state = Mutex(State())

    package init() {}

    package var use: CacheUse { state.withLock(\.use) }

    package func visitor(userAgent: String, clientHints: ClientHints) -> Visitor {
        let key = Key(userAgent: BytewiseText(userAgent), clientHints: clientHints)
        let known = state.withLock { state -> Visitor? in
            guard let known = state.visitors.value(for: key) else { return nil }
            state.use.hits += 1
            return known
        }
        if let known { return known }
        let visitor = Visitor(userAgent: userAgent, clientHints: clientHints)
        state.withLock { state in
            state.use.misses += 1
            state.visitors.insert(visitor, for: key)
        }
        return visitor
    }
}
