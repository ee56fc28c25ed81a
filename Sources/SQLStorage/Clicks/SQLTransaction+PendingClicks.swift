import Linden
import LindenKernel
import LindenReporting

/// Pending clicks: their look-up, claims and device reports.
///
/// A server keeps new pending clicks in memory, see ``PendingClickIndex``; other processes write them to `pending_clicks`. A look-up combines
/// both. A device report writes the click's row of `pending_clicks`, which takes precedence over memory, and a claim a row of `click_claims`.
extension SQLTransaction {
    package func pendingClicks(_ fingerprint: Fingerprint, limit: Int) throws -> [PendingClick] {
        let key = MatchKey(fingerprint)
        let stored = try connection.query(
            Self.findStoredPendingClicks,
            { values in
                values.bind(key.rawValue)
                values.bind(Int64(limit))
            }, StoredPendingClick.init)
        let rows = Dictionary(uniqueKeysWithValues: stored.map { ($0.click, $0) })
        let ids = Set(rows.keys).union(newPendingClicks(at: key.address, key: key, limit: limit))
        // Both sides are ordered by id, so the newest of all are among the newest of each.
        return try ids.sorted(by: >).prefix(limit).compactMap { try pendingClick($0, fingerprint, rows[$0]) }
    }

    private static let findStoredPendingClicks = StaticSQL(
        """
        SELECT click_id, screen, reported_model, reported_os_version FROM pending_clicks
        WHERE match_key = $1 ORDER BY click_id DESC LIMIT $2
        """)

    /// Returns the ids of pending clicks in memory, newest first, including those of this transaction, until their grace period ends.
    func newPendingClicks(at address: Int64, key: MatchKey?, limit: Int) -> [Click.ID] {
        guard let index = state.pendingClicks else { return [] }
        let own = pending.entries.filter { $0.key.address == address && (key == nil || key == $0.key) }.map(\.click)
        let committed = index.clicks(at: address, key: key, expiringAfter: now - PendingClick.explanationPeriod, limit: limit)
        return Array((own.reversed() + committed).prefix(limit))
    }

    /// Reads a pending click from the log; nil unless it has the fingerprint.
    private func pendingClick(_ id: Click.ID, _ fingerprint: Fingerprint, _ stored: StoredPendingClick?) throws -> PendingClick? {
        let found: PendingClick?? = try connection.first(Self.findPendingClick, { $0.bind(id) }) { row -> PendingClick? in
            let recorded = Fingerprint(scope: row.scope(1), address: row.text(3), os: row.text(4), osVersion: row.text(5))
            guard recorded == fingerprint else { return nil }
            return PendingClick(
                click: id, link: row.id(0), fingerprint: fingerprint, model: row.optionalText(6) ?? stored?.model,
                screen: stored?.screen, reportedOSVersion: stored?.osVersion, language: row.optionalText(7),
                addressClass: row.addressClass(9), expiresAt: id.time + .seconds(row.integer(8)),
                isClaimed: !row.isNull(12), appended: row.optionalText(10), browser: row.optionalID(11))
        }
        return found ?? nil
    }

    private static let findPendingClick = StaticSQL(
        """
        SELECT link_id, app_id, mode, address, os, COALESCE(os_version, ''), model.value, language, match_seconds, address_class,
            appended_hash, browser_id, claimed_at
        FROM clicks LEFT JOIN strings AS model ON model.id = model_id LEFT JOIN click_claims ON click_id = clicks.id
        WHERE clicks.id = $1 AND match_seconds IS NOT NULL
        """)

    /// Records that a click is pending: in memory on a server, else in the table.
    func insertPending(_ click: Click) throws {
        guard let fingerprint = click.fingerprint, let expiresAt = click.matchExpiresAt else { return }
        let key = MatchKey(fingerprint)
        guard state.pendingClicks == nil else {
            return pending.entries.append(PendingClickIndex.Entry(key: key, click: click.id, expiresAt: expiresAt))
        }
        try connection.execute(
            "INSERT INTO pending_clicks (match_key, click_id, expires_at) VALUES (\(key), \(click.id), \(expiresAt))")
    }

    /// Throws `unavailable` if memory has no room for another pending click. Called before the click is written, so that a refusal does
    /// not change the transaction, unless the click was taken from a link's limited number: then the transaction is repeated without it.
    func checkRoomForPendingClick() throws {
        guard let index = state.pendingClicks, index.count + pending.entries.count >= index.limit else { return }
        throw Failure.unavailable("Too many clicks are waiting to be merged into the database; please try again.")
    }

    package func record(_ report: DeviceReport, of click: Click.ID, _ fingerprint: Fingerprint) throws {
        try connection.execute(
            """
            INSERT INTO pending_clicks (match_key, click_id, expires_at, screen, reported_model, reported_os_version, reported_at)
            SELECT \(MatchKey(fingerprint)), id, (id >> 22) + \(IDGenerator.epoch) + match_seconds * 1000, \(report.screen?.text),
                \(report.model), \(report.osVersion), \(now)
            FROM clicks WHERE id = \(click) AND match_seconds IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM click_claims WHERE click_id = clicks.id)
            ON CONFLICT (match_key, click_id) DO UPDATE SET screen = excluded.screen, reported_model = excluded.reported_model,
                reported_os_version = excluded.reported_os_version, reported_at = excluded.reported_at
            WHERE pending_clicks.reported_at IS NULL
            """)
    }

    package func claim(_ click: Click.ID) throws -> Bool {
        try connection.changesRows(Self.claimPending) { values in
            values.bind(now)
            values.bind(click)
            values.bind(IDGenerator.epoch)
            values.bind(now - PendingClick.explanationPeriod)
        }
    }

    private static let claimPending = StaticSQL(
        """
        INSERT INTO click_claims (click_id, claimed_at)
        SELECT id, $1 FROM clicks
        WHERE id = $2 AND match_seconds IS NOT NULL AND (id >> 22) + $3 + match_seconds * 1000 > $4
        ON CONFLICT (click_id) DO NOTHING
        """)

    /// Deletes the rows of a pending click. An entry in memory has no effect once the click's row is erased too.
    func deletePending(_ id: Click.ID) throws {
        try connection.execute("DELETE FROM click_claims WHERE click_id = \(id)")
        guard let fingerprint = try click(id)?.fingerprint else { return }
        try connection.execute("DELETE FROM pending_clicks WHERE match_key = \(MatchKey(fingerprint)) AND click_id = \(id)")
    }

    package func hasExpiredPendingClicks(at time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM pending_clicks WHERE expires_at <= \(time) LIMIT 1")
    }

    /// By their number: a visit's query chooses when its row expires, and so may very many visits choose the same time.
    package func deleteExpiredPendingClicks(at time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM pending_clicks WHERE (match_key, click_id) IN (
                SELECT match_key, click_id FROM pending_clicks WHERE expires_at <= \(time) ORDER BY expires_at LIMIT \(limit))
            """)
    }

    package func hasClaims(ofClicksBefore time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM click_claims WHERE click_id < \(try firstNeededClaim(time)) LIMIT 1")
    }

    package func deleteClaims(ofClicksBefore time: Timestamp, limit: Int) throws {
        let first = try firstNeededClaim(time)
        try connection.execute(
            """
            DELETE FROM click_claims WHERE click_id <= (
                SELECT MAX(click_id) FROM (
                    SELECT click_id FROM click_claims WHERE click_id < \(first) ORDER BY click_id LIMIT \(limit)) AS oldest)
            """)
    }

    /// The click up to which claims may be deleted. Those of clicks that are not merged yet are kept, whatever the clock says: the click in
    /// memory, or the one that is read from the log after a crash, would no longer be claimed.
    private func firstNeededClaim(_ time: Timestamp) throws -> Int64 {
        let first = IDGenerator.first(at: time)
        return state.pendingClicks == nil ? first : min(first, try cursor(.pendingClicks, .clicks))
    }
}

/// A pending click's own columns in `pending_clicks`.
private struct StoredPendingClick {
    let click: Click.ID
    let screen: Screen?
    let model: String?
    let osVersion: String?

    init(_ row: any SQLRow) {
        click = row.id(0)
        screen = row.optionalText(1).flatMap(Screen.init)
        model = row.optionalText(2)
        osVersion = row.optionalText(3)
    }
}
