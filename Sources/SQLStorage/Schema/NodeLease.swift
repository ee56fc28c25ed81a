import LindenKernel

extension SQLTransaction {
    private static let leaseDuration: Duration = .seconds(60)
    private static let renewalMargin: Duration = .seconds(30)

    /// Ensures that this process has leased a node number before it makes an id. If the transaction is rolled back, the driver restores the
    /// generator's lease.
    ///
    /// The number of a process that died becomes free when its lease expires, and not before, so no id is made twice.
    func ensureNodeLease() throws {
        // After the clock was set back, or if another server's is ahead, ids are ahead of it.
        let time = max(now, state.ids.latest)
        if let lease = state.ids.lease, lease.until > time + Self.renewalMargin { return }
        if state.ids.lease == nil { state.ids.skip(past: try newestID()) }
        let until = max(now, state.ids.latest) + Self.leaseDuration
        if let node = state.ids.lease?.node, try renew(node, until: until) {
            state.ids.lease = .init(node: node, until: until)
        } else {
            state.ids.lease = .init(node: try leaseNode(until: until), until: until)
            // In the present millisecond, ids of a smaller number would be below those of the former one.
            state.ids.skip(past: state.ids.latestID)
        }
    }

    /// Ends the lease at shutdown, as of the last id that was made.
    package func releaseNode() throws {
        guard let lease = state.ids.lease else { return }
        try connection.execute(
            "UPDATE nodes SET leased_until = \(state.ids.latest) WHERE node = \(lease.node) AND owner = \(state.owner)")
    }

    /// The newest id in the logs that are read in id order. A process that starts after the clock was set back must not insert rows below
    /// the aggregates' cursors.
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
        try connection.changesRows(
            "UPDATE nodes SET leased_until = \(until) WHERE node = \(node) AND owner = \(state.owner)")
    }

    private func leaseNode(until: Timestamp) throws -> Int64 {
        let held = try connection.query("SELECT node FROM nodes WHERE leased_until >= \(now)") { $0.integer(0) }
        for node in IDGenerator.nodes where !held.contains(node) {
            let isOurs = try connection.changesRows(
                """
                INSERT INTO nodes (node, owner, leased_until) VALUES (\(node), \(state.owner), \(until))
                ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, leased_until = excluded.leased_until
                WHERE nodes.leased_until < \(now)
                """)
            if isOurs { return node }
        }
        throw Failure.unavailable("All \(IDGenerator.nodes.count) node numbers are in use.")
    }
}
