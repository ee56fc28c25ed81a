import Synchronization

/// The redirects of one version of a link, by the class of the visitor. Pages are not cached: rendering them costs far
/// more than the decision.
///
/// It belongs to the version in the link cache: a change of the link, its app or its domains replaces that, and this cache with it. Both the
/// number of decisions and the size of each are limited; once it is full, the oldest one is replaced.
package final class DecisionCache: Sendable {
    private struct Entry: Sendable {
        let visitor: VisitorClass
        let decision: RenderedDestination
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        /// The place of the oldest decision.
        var oldest = 0
    }

    /// A link on all platforms has about as many classes of visitors: browsers, in-app browsers and robots.
    private static let most = 8
    /// The bytes that each decision counts for. Its URL is kept twice: as the parts of the response, and in the decision.
    package static let bytesOfEach = 1024

    private let state = Mutex(State())

    package init() {}

    /// Returns the decision on visitors of a class; nil if it is not cached.
    package func decision(for visitor: VisitorClass) -> RenderedDestination? {
        state.withLock { state in
            for entry in state.entries where entry.visitor == visitor { return entry.decision }
            return nil
        }
    }

    /// Adds a decision if it is a redirect, and not too large.
    ///
    /// - Returns: whether the cache has grown.
    package func insert(_ decision: RenderedDestination, for visitor: VisitorClass) -> Bool {
        guard let location = decision.location,
            MemoryLayout<Entry>.stride + 2 * (location.prefix.utf8.count + location.suffix.utf8.count) <= Self.bytesOfEach
        else { return false }
        let entry = Entry(visitor: visitor, decision: decision)
        return state.withLock { state in
            // Another event loop may have decided the same.
            guard !state.entries.contains(where: { $0.visitor == visitor }) else { return false }
            guard state.entries.count == Self.most else {
                state.entries.append(entry)
                return true
            }
            state.entries[state.oldest] = entry
            state.oldest = (state.oldest + 1) % Self.most
            return false
        }
    }
}
