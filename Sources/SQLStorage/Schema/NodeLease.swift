import Linden

extension SQLTransaction {
    private static let leaseDuration: Duration = .seconds(60)
    private static let renewalMargin: Duration = .seconds(30)

    /// Sees to it that this process holds a node number, before it makes an id. If the transaction is then rolled back, the driver
    /// restores the generator's lease.
    ///
    /// A number whose holder died is free again when its lease is over, and not before: an id can never be made twice.
    func holdNode() throws {
        if let lease = state.ids.lease, lease.until > now + Self.renewalMargin { return }
        if state.ids.lease == nil { state.ids.skip(past: try newestID()) }
        // Where the clock was set back, ids are ahead of it.
        let until = max(now, state.ids.latest) + Self.leaseDuration
        if let node = state.ids.lease?.node, try renew(node, until: until) {
            state.ids.lease = .init(node: node, until: until)
        } else {
            state.ids.lease = .init(node: try leaseNode(until: until), until: until)
        }
    }

    /// Gives the node number back at the end of a process, as of the last id it made.
    package func releaseNode() throws {
        guard let lease = state.ids.lease else { return }
        try connection.execute(
            "UPDATE nodes SET leased_until = \(state.ids.latest) WHERE node = \(lease.node) AND owner = \(state.owner)")
    }

    /// The newest id in the logs that are read in the order of their ids. A process that starts after the clock was set back must not
    /// write behind what is counted already.
    private func newestID() throws -> Int64 {
        try connection.first(
            """
            SELECT MAX(id) FROM (
                SELECT MAX(id) AS id FROM clicks UNION ALL SELECT MAX(id) FROM sessions UNION ALL SELECT MAX(id) FROM events
                UNION ALL SELECT MAX(id) FROM credit_transactions
            ) AS newest
            """
        ) { $0.isNull(0) ? 0 : $0.integer(0) } ?? 0
    }

    private func renew(_ node: Int64, until: Timestamp) throws -> Bool {
        try connection.hasRows(
            "UPDATE nodes SET leased_until = \(until) WHERE node = \(node) AND owner = \(state.owner) RETURNING node")
    }

    private func leaseNode(until: Timestamp) throws -> Int64 {
        let held = try connection.query("SELECT node FROM nodes WHERE leased_until >= \(now)") { $0.integer(0) }
        for node in IDGenerator.nodes where !held.contains(node) {
            let isOurs = try connection.hasRows(
                """
                INSERT INTO nodes (node, owner, leased_until) VALUES (\(node), \(state.owner), \(until))
                ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, leased_until = excluded.leased_until
                WHERE nodes.leased_until < \(now) RETURNING node
                """)
            if isOurs { return node }
        }
        throw Failure.unavailable("All \(IDGenerator.nodes.count) node numbers are in use.")
    }
}
