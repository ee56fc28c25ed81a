import LindenKernel
import NIOCore
import Synchronization

/// The budget of the bytes that wait to be sent on all connections. When it is full, connections whose client has received nothing for
/// longest are closed, and those of a site that holds many more bytes than the one that needs room.
final class UnsentBudget: Sendable {
    private struct Connection {
        let client: ClientNetwork?
        var countedBytes = 0
        var lastProgress: NIODeadline
        /// Whether the connection has to close, which it does when it next counts its bytes.
        var isEvicted = false
    }

    private let budget: SharedBudget
    /// The connections with waiting bytes.
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// A connection without progress for this time may be closed for others.
    private static let stalledTime: TimeAmount = .seconds(2)
    /// A site gives up connections, stalled or not, for one that holds less than this part of what it holds itself.
    private static let unfairPart = 8

    /// - Parameter bytes: the maximum, of which one address may use a quarter and one site half.
    init(_ bytes: Int) {
        budget = SharedBudget(bytes)
    }

    /// Counts the waiting bytes of a connection. If they do not fit, another connection is evicted, and the next call counts them: one of the
    /// same address or site if that has used its share, otherwise any, preferably a near one.
    ///
    /// - Parameters:
    ///   - client: nil for an address that stands for many clients.
    ///   - hasProgress: whether the client has received some of the bytes since the previous call.
    /// - Returns: false if the connection has to close: it was evicted, or its bytes do not fit and no other connection can be evicted.
    func count(
        _ waiting: Int, of id: ObjectIdentifier, _ client: ClientNetwork?, hasProgress: Bool, at now: NIODeadline
    ) -> Bool {
        guard waiting > 0 else {
            leave(id)
            return true
        }
        return connections.withLock { connections in
            var connection = connections[id] ?? Connection(client: client, lastProgress: now)
            if hasProgress { connection.lastProgress = now }
            let new = waiting - connection.countedBytes
            var hasRoom = true
            if new < 0 {
                budget.giveBack(-new, of: client)
                connection.countedBytes = waiting
            } else if new > 0 {
                hasRoom = budget.take(new, of: client)
                if hasRoom { connection.countedBytes = waiting }
            }
            connections[id] = connection
            if connection.isEvicted { return false }
            if hasRoom { return true }
            let share = budget.share(exceededBy: new, of: client)
            return Self.evict(from: &connections, for: client, beyond: share, at: now)
                || share == nil && Self.evictUnfair(from: &connections, for: client, new)
        }
    }

    /// Removes a connection that has closed or has sent everything.
    func leave(_ id: ObjectIdentifier) {
        guard let connection = connections.withLock({ $0.removeValue(forKey: id) }) else { return }
        if connection.countedBytes > 0 { budget.giveBack(connection.countedBytes, of: connection.client) }
    }

    /// Evicts the connection that has been stalled for longest: one of the address, otherwise of the site, otherwise any.
    ///
    /// - Parameter share: the share that the client has used up; only connections that count against it are evicted. Nil if the budget itself
    ///   is full.
    private static func evict(
        from connections: inout [ObjectIdentifier: Connection], for client: ClientNetwork?, beyond share: NetworkShare?,
        at now: NIODeadline
    ) -> Bool {
        let required =
            switch share {
            case .address: 2
            case .site: 1
            case nil: 0
            }
        var oldest: (id: ObjectIdentifier, nearness: Int, lastProgress: NIODeadline)?
        for (id, connection) in connections where !connection.isEvicted && now - connection.lastProgress >= stalledTime {
            let other = connection.client
            let nearness = other?.address == client?.address ? 2 : other?.site == client?.site ? 1 : 0
            guard nearness >= required else { continue }
            if let oldest {
                guard nearness == oldest.nearness ? connection.lastProgress < oldest.lastProgress : nearness > oldest.nearness
                else {
                    continue
                }
            }
            oldest = (id, nearness, connection.lastProgress)
        }
        guard let oldest else { return false }
        connections[oldest.id]?.isEvicted = true
        return true
    }

    /// Evicts the connection with the most bytes of the site that holds most, if that is ``unfairPart`` times what the client's site would hold.
    /// Evicts none while those that are evicted already have as many bytes as are needed.
    private static func evictUnfair(
        from connections: inout [ObjectIdentifier: Connection], for client: ClientNetwork?, _ new: Int
    ) -> Bool {
        guard connections.values.reduce(0, { $0 + ($1.isEvicted ? $1.countedBytes : 0) }) < new else { return true }
        var sites: [UInt64: (bytes: Int, largest: ObjectIdentifier, bytesOfLargest: Int)] = [:]
        for (id, connection) in connections where !connection.isEvicted {
            guard let site = connection.client?.site else { continue }
            var entry = sites[site] ?? (0, id, -1)
            entry.bytes += connection.countedBytes
            if connection.countedBytes > entry.bytesOfLargest {
                (entry.largest, entry.bytesOfLargest) = (id, connection.countedBytes)
            }
            sites[site] = entry
        }
        let own = new + (client.flatMap { sites[$0.site]?.bytes } ?? 0)
        guard let most = sites.values.max(by: { $0.bytes < $1.bytes }), most.bytes >= unfairPart * own else { return false }
        connections[most.largest]?.isEvicted = true
        return true
    }
}
