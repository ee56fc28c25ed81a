import Linden
import LindenKernel
import LindenReporting

/// The changes of a transaction to the pending clicks in memory, made once it is durable.
struct PendingClickChanges: Sendable {
    var entries: [PendingClickIndex.Entry] = []
    /// Whether the transaction contains the last part of a merge.
    var endsMerge = false
}

extension SQLTransaction {
    package func beginMergingPendingClicks() throws -> Bool {
        state.pendingClicks?.beginMerge(at: now) ?? false
    }

    package func mergePendingClicks(from position: Int, limit: Int) throws -> Int? {
        guard let index = state.pendingClicks, let cursor = index.cursorAfterMerge else { return nil }
        let entries = index.entries(from: position, limit: limit)
        for entry in entries {
            // From the log, so that a click erased since then leaves no row.
            try connection.execute(Self.mergePendingClick) { row in
                row.bind(entry.key.rawValue)
                row.bind(entry.expiresAt.milliseconds)
                row.bind(entry.click.rawValue)
            }
        }
        guard entries.count < limit else { return position + limit }
        try setCursor(.pendingClicks, .clicks, through: cursor)
        pending.endsMerge = true
        return nil
    }

    private static let mergePendingClick = StaticSQL(
        """
        INSERT INTO pending_clicks (match_key, click_id, expires_at)
        SELECT $1, id, $2 FROM clicks WHERE id = $3 AND match_seconds IS NOT NULL
        ON CONFLICT (match_key, click_id) DO NOTHING
        """)

    /// Reads the pending clicks that were not merged before the last server ended. Called before the storage is used.
    package func recoverPendingClicks() throws {
        guard let index = state.pendingClicks else { return }
        let longest = PendingClick.claimGracePeriod + .seconds(Link.longestMatchSeconds)
        let cursor = try max(self.cursor(.pendingClicks, .clicks), IDGenerator.first(at: now - longest))
        var entries: [PendingClickIndex.Entry] = []
        try connection.read(
            """
            SELECT id, app_id, mode, address, os, COALESCE(os_version, ''), match_seconds FROM clicks
            WHERE id > \(cursor) AND match_seconds IS NOT NULL ORDER BY id
            """
        ) { row in
            let click: Click.ID = row.id(0)
            let expiresAt = click.time + .seconds(row.integer(6))
            if expiresAt + PendingClick.claimGracePeriod > now {
                let key = MatchKey(Fingerprint(scope: row.scope(1), address: row.text(3), os: row.text(4), osVersion: row.text(5)))
                entries.append(PendingClickIndex.Entry(key: key, click: click, expiresAt: expiresAt))
            }
            return true
        }
        index.recover(entries, after: cursor)
    }
}
