import Linden

extension SQLTransaction {
    private static let leaseDuration: Duration = .seconds(60)
    private static let renewalMargin: Duration = .seconds(30)

    /// Sees to it that this process holds a node number for the ids of this transaction. To be called by the driver before any
    /// closure runs; if the transaction is then rolled back, the driver restores the generator's lease.
    ///
    /// A number whose holder died is free again when its lease is over, and not before: an id can never be made twice.
    package func holdNode(owner: String) throws {
        if let lease = ids.lease, lease.until > now + Self.renewalMargin { return }
        let until = now + Self.leaseDuration
        if let node = ids.lease?.node, try renew(node, owner: owner, until: until) {
            ids.lease = .init(node: node, until: until)
        } else {
            ids.lease = .init(node: try leaseNode(owner: owner, until: until), until: until)
        }
    }

    /// Gives the node number back at the end of a process, as of the last id it made.
    package func releaseNode(owner: String) throws {
        guard let lease = ids.lease else { return }
        try connection.execute(
            "UPDATE nodes SET leased_until = \(ids.latest) WHERE node = \(lease.node) AND owner = \(owner)")
    }

    private func renew(_ node: Int64, owner: String, until: Timestamp) throws -> Bool {
        try connection.hasRows(
            "UPDATE nodes SET leased_until = \(until) WHERE node = \(node) AND owner = \(owner) RETURNING node")
    }

    private func leaseNode(owner: String, until: Timestamp) throws -> Int64 {
        let held = try connection.query("SELECT node FROM nodes WHERE leased_until >= \(now)") { $0.integer(0) }
        for node in IDGenerator.nodes where !held.contains(node) {
            let isOurs = try connection.hasRows(
                """
                INSERT INTO nodes (node, owner, leased_until) VALUES (\(node), \(owner), \(until))
                ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, leased_until = excluded.leased_until
                WHERE nodes.leased_until < \(now) RETURNING node
                """)
            if isOurs { return node }
        }
        throw Failure.unavailable("All \(IDGenerator.nodes.count) node numbers are in use.")
    }
}
