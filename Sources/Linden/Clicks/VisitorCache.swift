import LinkRouting
import Synchronization

/// Visitors by user agent, which callers have cut to a sane length. Reading one compares it with some hundred names; the same few thousand come again and again.
final class VisitorCache: Sendable {
    private static let capacity = 4096

    private let visitors = Mutex<[String: Visitor]>([:])

    func visitor(userAgent: String) -> Visitor {
        if let known = visitors.withLock({ $0[userAgent] }) { return known }
        let visitor = Visitor(userAgent: userAgent)
        visitors.withLock { visitors in
            if visitors.count >= Self.capacity { visitors.removeAll(keepingCapacity: true) }
            visitors[userAgent] = visitor
        }
        return visitor
    }
}
