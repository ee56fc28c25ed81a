import DequeModule
import LindenServices

/// Calls of clients that wait: groups take turns, and within a group sites do, see ``CallOrigin``.
struct CallTurns {
    private struct Waiting {
        let call: any QueuedCall
        let site: UInt64
        let weight: Int
    }

    private struct Group {
        var calls = FairQueue<Waiting>()
        var weight = 0
        /// The sum of the weights of each site's calls.
        var weights: [UInt64: Int] = [:]
    }

    private var groups: [UInt64: Group] = [:]
    /// The groups that have calls, the next one first.
    private var order = Deque<UInt64>()
    private(set) var count = 0
    /// The sum of all calls' weights.
    private(set) var weight = 0

    /// The call of each site that has waited for longest. Takes time proportional to the number of sites.
    var oldest: [any QueuedCall] { groups.values.flatMap { $0.calls.oldest.map(\.call) } }

    /// Whether a call may wait. All calls may take the limit, those of a group half of it, and those of a site a quarter. A group and a site
    /// that have next to nothing there have room beyond, so that those which fill the queue do not keep others out of it: it is their turn
    /// soon.
    ///
    /// - Parameter limit: the weight of all calls.
    func hasRoom(for origin: CallOrigin, limit: Int) -> Bool {
        let group = groups[origin.group]
        let (ofGroup, ofSite) = (group?.weight ?? 0, group?.weights[origin.site] ?? 0)
        let little = limit / 64 - origin.weight
        if ofGroup < little { return weight < limit * 2 }
        if ofSite < little { return ofGroup < limit / 4 * 3 && weight < limit / 2 * 3 }
        return ofSite < limit / 4 && ofGroup < limit / 2 && weight < limit
    }

    mutating func append(_ call: any QueuedCall, of origin: CallOrigin) {
        let (group, site, weight) = (origin.group, origin.site, origin.weight)
        if groups[group] == nil { order.append(group) }
        groups[group, default: Group()].calls.append(Waiting(call: call, site: site, weight: weight), of: site)
        groups[group]?.weight += weight
        groups[group]?.weights[site, default: 0] += weight
        count += 1
        self.weight += weight
    }

    /// Removes and returns the next call. Takes constant time.
    mutating func next() -> (any QueuedCall)? {
        guard let group = order.popFirst(), let next = groups[group]?.calls.next() else { return nil }
        groups[group]?.weight -= next.weight
        let ofSite = (groups[group]?.weights[next.site] ?? 0) - next.weight
        groups[group]?.weights[next.site] = ofSite > 0 ? ofSite : nil
        if groups[group]?.calls.isEmpty == true { groups[group] = nil } else { order.append(group) }
        count -= 1
        weight -= next.weight
        return next.call
    }
}
