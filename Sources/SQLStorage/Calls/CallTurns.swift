import DequeModule
import LindenServices

/// Calls of clients that wait: groups take turns, and within a group sites do, see ``CallOrigin``.
struct CallTurns {
    private struct Waiting {
        let call: any QueuedCall
        let weight: Int
    }

    private struct Group {
        var calls = FairQueue<Waiting>()
        var weight = 0
    }

    private var groups: [UInt64: Group] = [:]
    /// The groups that have calls, the next one first.
    private var order = Deque<UInt64>()
    private(set) var count = 0
    /// The sum of all calls' weights.
    private(set) var weight = 0

    func weight(ofGroupOf origin: CallOrigin) -> Int { groups[origin.group]?.weight ?? 0 }

    /// The number of calls of a site.
    func count(ofSiteOf origin: CallOrigin) -> Int { groups[origin.group]?.calls.count(of: origin.site) ?? 0 }

    /// The call of each site that has waited for longest. Takes time proportional to the number of sites.
    var oldest: [any QueuedCall] { groups.values.flatMap { $0.calls.oldest.map(\.call) } }

    mutating func append(_ call: any QueuedCall, of origin: CallOrigin) {
        let (group, weight) = (origin.group, origin.weight)
        if groups[group] == nil { order.append(group) }
        groups[group, default: Group()].calls.append(Waiting(call: call, weight: weight), of: origin.site)
        groups[group]?.weight += weight
        count += 1
        self.weight += weight
    }

    /// Removes and returns the next call. Takes constant time.
    mutating func next() -> (any QueuedCall)? {
        guard let group = order.popFirst(), let next = groups[group]?.calls.next() else { return nil }
        groups[group]?.weight -= next.weight
        if groups[group]?.calls.isEmpty == true { groups[group] = nil } else { order.append(group) }
        count -= 1
        weight -= next.weight
        return next.call
    }
}
