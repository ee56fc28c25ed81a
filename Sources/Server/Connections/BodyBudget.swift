import LindenKernel
import NIOCore
import Synchronization

/// The budget of the memory of request bodies, from their arrival to the end of the response. When it is full, bodies of which nothing has
/// arrived for longest are given up.
final class BodyBudget: Sendable {
    fileprivate struct Body {
        let client: ClientNetwork
        let giveUp: @Sendable () -> Void
        var heldBytes = 0
        /// The time at which bytes last arrived; nil once the body is complete.
        var lastProgress: NIODeadline?
    }

    fileprivate struct State {
        var budget: NetworkBudget
        var bodies: [ObjectIdentifier: Body] = [:]
    }

    private let state: Mutex<State>

    /// The most that one address gets.
    let largestShare: Int

    /// An unfinished body without progress for this time may be given up for others.
    fileprivate static let stalledTime: TimeAmount = .seconds(2)

    /// - Parameter bytes: the maximum, of which one address may use a quarter and one site half.
    init(_ bytes: Int) {
        let budget = NetworkBudget(bytes)
        largestShare = budget.largestShare
        state = Mutex(State(budget: budget))
    }

    /// Adds a body that holds nothing yet.
    ///
    /// - Parameter giveUp: called at most once, if the body is given up for others; nothing of it counts any more then.
    func enter(_ id: ObjectIdentifier, of client: ClientNetwork, at now: NIODeadline, giveUp: @escaping @Sendable () -> Void) {
        state.withLock { $0.bodies[id] = Body(client: client, giveUp: giveUp, lastProgress: now) }
    }

    /// Raises the bytes that a body holds to a total, for which stalled bodies are given up: those of the same address or site if that has
    /// used its share, otherwise any, preferably near ones.
    ///
    /// - Returns: false if there is no room, or if the body itself was given up.
    func hold(_ total: Int, by id: ObjectIdentifier, isComplete: Bool, at now: NIODeadline) -> Bool {
        let (isHeld, givenUp) = state.withLock { state -> (Bool, [Body]) in
            guard let body = state.bodies[id] else { return (false, []) }
            state.bodies[id]?.lastProgress = isComplete ? nil : now
            let new = total - body.heldBytes
            guard new > 0 else { return (true, []) }
            var givenUp: [Body] = []
            while !state.budget.take(new, of: body.client) {
                guard let (other, stalled) = state.mostStalled(for: body.client, new, at: now) else { return (false, givenUp) }
                state.remove(other)
                givenUp.append(stalled)
            }
            state.bodies[id]?.heldBytes = total
            return (true, givenUp)
        }
        for body in givenUp { body.giveUp() }
        return isHeld
    }

    /// Removes a body whose request is answered.
    func leave(_ id: ObjectIdentifier) {
        state.withLock { $0.remove(id) }
    }
}

extension BodyBudget.State {
    fileprivate mutating func remove(_ id: ObjectIdentifier) {
        guard let body = bodies.removeValue(forKey: id), body.heldBytes > 0 else { return }
        budget.giveBack(body.heldBytes, of: body.client)
    }

    /// Returns the unfinished body that has been stalled for longest, and that makes room for an additional amount of a client: one of the
    /// address, otherwise of the site, otherwise any.
    fileprivate func mostStalled(
        for client: ClientNetwork, _ count: Int, at now: NIODeadline
    ) -> (id: ObjectIdentifier, body: BodyBudget.Body)? {
        let requiredNearness =
            switch budget.share(exceededBy: count, of: client) {
            case .address: 2
            case .site: 1
            case nil: 0
            }
        var found: (id: ObjectIdentifier, body: BodyBudget.Body, nearness: Int, lastProgress: NIODeadline)?
        for (id, body) in bodies where body.heldBytes > 0 {
            guard let lastProgress = body.lastProgress, now - lastProgress >= BodyBudget.stalledTime else { continue }
            let nearness = body.client.address == client.address ? 2 : body.client.site == client.site ? 1 : 0
            guard nearness >= requiredNearness else { continue }
            if let found, (found.nearness, lastProgress) >= (nearness, found.lastProgress) { continue }
            found = (id, body, nearness, lastProgress)
        }
        return found.map { ($0.id, $0.body) }
    }
}
