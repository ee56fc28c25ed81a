import LindenKernel
import NIOCore
import Synchronization

/// The budget of the memory that requests hold from their arrival to the end of the response at most. When it is full, unfinished requests
/// are given up: those of which nothing has arrived for longest, or those of a site that holds much more than the client who needs room.
package final class RequestBudget: Sendable {
    fileprivate struct Request {
        let client: ClientNetwork?
        let giveUp: @Sendable () -> Void
        var heldBytes = 0
        /// The time at which bytes last arrived; nil once the request is complete.
        var lastProgress: NIODeadline?
    }

    fileprivate struct Site {
        var heldBytes = 0
        /// The requests that hold bytes.
        var requests: Set<ObjectIdentifier> = []
    }

    fileprivate struct State {
        var budget: NetworkBudget
        /// The most that clients without a network get together, so that there is room for a visitor whose network is known.
        let mostOfUnknown: Int
        var requests: [ObjectIdentifier: Request] = [:]
        /// What sites hold, and together the clients without a network.
        var sites: [UInt64?: Site] = [:]
        /// The earliest time at which a request may be found stalled.
        var nextStall = NIODeadline.distantPast
    }

    private let state: Mutex<State>

    /// The most that one address gets.
    package let largestShare: Int

    /// An unfinished request without progress for this time may be given up for others.
    fileprivate static let stalledTime: TimeAmount = .seconds(2)

    /// A site gives up requests, stalled or not, for one that holds less than this part of what it holds itself.
    fileprivate static let unfairPart = 8

    /// - Parameter bytes: the maximum, of which one address may use a quarter, one site half, and clients without a network three quarters.
    package init(_ bytes: Int) {
        let budget = NetworkBudget(bytes)
        largestShare = budget.largestShare
        state = Mutex(State(budget: budget, mostOfUnknown: bytes / 4 * 3))
    }

    /// Adds a request that holds nothing yet.
    ///
    /// - Parameters:
    ///   - client: nil for one that stands for many clients. All such requests have one share.
    ///   - giveUp: called at most once, if the request is given up for others; nothing of it counts any more then.
    package func enter(
        _ id: ObjectIdentifier, of client: ClientNetwork?, at now: NIODeadline, giveUp: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0.requests[id] = Request(client: client, giveUp: giveUp, lastProgress: now) }
    }

    /// Sets the bytes that a request holds. For more than fit, other requests are given up: stalled ones of the same address or site if that
    /// has used its share, otherwise any stalled ones, or those of a site that holds ``unfairPart`` times as much.
    ///
    /// - Returns: false if there is no room, or if the request itself was given up.
    package func hold(_ total: Int, by id: ObjectIdentifier, isComplete: Bool, at now: NIODeadline) -> Bool {
        let (isHeld, givenUp) = state.withLock { state -> (Bool, [Request]) in
            guard let request = state.requests[id] else { return (false, []) }
            state.requests[id]?.lastProgress = isComplete ? nil : now
            var givenUp: [Request] = []
            while !state.set(total, of: id) {
                guard let other = state.dispensable(for: request.client, total - request.heldBytes, at: now) else {
                    return (false, givenUp)
                }
                if let removed = state.remove(other) { givenUp.append(removed) }
            }
            return (true, givenUp)
        }
        for request in givenUp { request.giveUp() }
        return isHeld
    }

    /// Removes a request. Does nothing if it was given up.
    package func leave(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.remove(id) }
    }
}

extension RequestBudget.State {
    /// Sets the bytes that a request holds; returns false, and changes nothing, if they do not fit.
    fileprivate mutating func set(_ total: Int, of id: ObjectIdentifier) -> Bool {
        guard let request = requests[id] else { return true }
        let new = total - request.heldBytes
        if new > 0, exceedsShareOfUnknown(new, of: request.client) || !budget.take(new, of: request.client) { return false }
        if new < 0 { budget.giveBack(-new, of: request.client) }
        requests[id]?.heldBytes = total
        let key = request.client?.site
        var site = sites.removeValue(forKey: key) ?? RequestBudget.Site()
        site.heldBytes += new
        if total > 0 { site.requests.insert(id) } else { site.requests.remove(id) }
        if !site.requests.isEmpty { sites[key] = site }
        return true
    }

    private func exceedsShareOfUnknown(_ count: Int, of client: ClientNetwork?) -> Bool {
        client == nil && (sites[nil]?.heldBytes ?? 0) + count > mostOfUnknown
    }

    fileprivate mutating func remove(_ id: ObjectIdentifier) -> RequestBudget.Request? {
        _ = set(0, of: id)
        return requests.removeValue(forKey: id)
    }

    /// Returns an unfinished request to give up for an additional amount of a client.
    fileprivate mutating func dispensable(for client: ClientNetwork?, _ count: Int, at now: NIODeadline) -> ObjectIdentifier? {
        let ofSite = sites[client?.site]
        if exceedsShareOfUnknown(count, of: client) { return stalled(ofSite?.requests ?? [], at: now) }
        switch budget.share(exceededBy: count, of: client) {
        case .address: return stalled(ofSite?.requests.filter { requests[$0]?.client == client } ?? [], at: now)
        case .site: return stalled(ofSite?.requests ?? [], at: now)
        case nil: break
        }
        if let largest = sites.lazy.filter({ $0.key != nil }).map(\.value).max(by: { $0.heldBytes < $1.heldBytes }),
            largest.heldBytes >= RequestBudget.unfairPart * ((ofSite?.heldBytes ?? 0) + count),
            let (id, _) = oldest(largest.requests)
        {
            return id
        }
        guard now >= nextStall else { return nil }
        let all = sites.values.lazy.flatMap(\.requests)
        let found = stalled(all, at: now)
        if found == nil { nextStall = (oldest(all)?.lastProgress ?? now) + RequestBudget.stalledTime }
        return found
    }

    /// Returns the one of some requests that has been stalled for longest.
    private func stalled(_ ids: some Sequence<ObjectIdentifier>, at now: NIODeadline) -> ObjectIdentifier? {
        guard let (id, lastProgress) = oldest(ids), now - lastProgress >= RequestBudget.stalledTime else { return nil }
        return id
    }

    /// Returns the unfinished one of some requests of which nothing has arrived for longest.
    private func oldest(_ ids: some Sequence<ObjectIdentifier>) -> (id: ObjectIdentifier, lastProgress: NIODeadline)? {
        var found: (id: ObjectIdentifier, lastProgress: NIODeadline)?
        for id in ids {
            guard let lastProgress = requests[id]?.lastProgress else { continue }
            if let found, found.lastProgress <= lastProgress { continue }
            found = (id, lastProgress)
        }
        return found
    }
}
