import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The audit of all claims. Each statement reads a table of claims once, and looks up what its rows name.
extension SQLTransaction {
    package func wrongClickClaims(limit: Int) throws -> CheckResult {
        let pruned = try cursor(.pruned, .clicks)
        var problems = try connection.query(
            """
            SELECT click_id FROM click_claims
            WHERE click_id > \(pruned)
                AND NOT EXISTS (SELECT 1 FROM clicks WHERE clicks.id = click_id AND match_seconds IS NOT NULL) LIMIT \(limit)
            """
        ) { "A session claimed click \($0.integer(0)), which is not a pending one in the log." }
        problems += try connection.query(
            """
            SELECT click_id FROM pending_clicks
            WHERE click_id > \(pruned) AND NOT EXISTS (SELECT 1 FROM clicks WHERE clicks.id = click_id) LIMIT \(limit)
            """
        ) { "Click \($0.integer(0)) can be matched, and is not in the log." }
        problems += try clicksMatchedTwice(limit: limit)
        return CheckResult(examined: try rows("click_claims"), problems: Array(problems.prefix(limit)))
    }

    /// Clicks that several devices have by their fingerprint. One that was identified by its id may lead any number of devices.
    private func clicksMatchedTwice(limit: Int) throws -> [String] {
        var problems: [String] = []
        var (click, devices): (Int64, Set<Int64>) = (0, [])
        try connection.read(
            """
            SELECT click_id, device_id, explanation FROM sessions
            WHERE click_id IN (
                SELECT click_id FROM sessions WHERE click_id IS NOT NULL GROUP BY click_id HAVING COUNT(DISTINCT device_id) > 1)
            ORDER BY click_id, id
            """
        ) { row in
            guard try StoredDecision(json: JSON.parse(row.text(2))).matcher == FingerprintMatch.name else { return true }
            if click != row.integer(0) { (click, devices) = (row.integer(0), []) }
            if devices.insert(row.integer(1)).inserted, devices.count == 2 {
                problems.append("Click \(click) was matched by its address to more than one device.")
            }
            return problems.count < limit
        }
        return problems
    }

    package func wrongDeviceClicks(limit: Int) throws -> CheckResult {
        var problems = try connection.query(
            """
            SELECT click_id FROM device_clicks
            WHERE click_id > \(try cursor(.pruned, .clicks)) AND NOT EXISTS (
                SELECT 1 FROM clicks
                WHERE clicks.id = click_id AND clicks.app_id = device_clicks.app_id AND clicks.mode = device_clicks.mode)
            LIMIT \(limit)
            """
        ) { "Click \($0.integer(0)) named a device, and is not in its app's log." }
        problems += try connection.query(
            """
            SELECT click_id, COUNT(claimed_at) FROM device_clicks GROUP BY click_id HAVING COUNT(claimed_at) > 1 LIMIT \(limit)
            """
        ) { "Click \($0.integer(0)) was claimed \($0.integer(1)) times by the device that it named." }
        return CheckResult(examined: try rows("device_clicks"), problems: Array(problems.prefix(limit)))
    }

    package func wrongEventTransactions(limit: Int) throws -> CheckResult {
        var problems = try connection.query(
            """
            SELECT transaction_id, event_id FROM event_transactions AS held
            WHERE NOT EXISTS (
                SELECT 1 FROM events
                WHERE events.id = held.event_id AND events.app_id = held.app_id AND events.mode = held.mode
                    AND events.name = held.name AND events.transaction_id = held.transaction_id)
            LIMIT \(limit)
            """
        ) { "Transaction \($0.text(0)) is held by event \($0.integer(1)), which did not report it or is not there." }
        problems += try connection.query(
            "SELECT event_id, COUNT(*) FROM event_transactions GROUP BY event_id HAVING COUNT(*) > 1 LIMIT \(limit)"
        ) { "Event \($0.integer(0)) holds \($0.integer(1)) transactions." }
        return CheckResult(examined: try rows("event_transactions"), problems: Array(problems.prefix(limit)))
    }

    private func rows(_ table: StaticString) throws -> Int64 {
        try connection.first("SELECT COUNT(*) FROM \(raw: table)") { $0.integer(0) } ?? 0
    }
}
