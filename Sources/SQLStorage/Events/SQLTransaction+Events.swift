import Linden
import LindenKernel

extension SQLTransaction {
    package func insert(_ event: Event) throws {
        let (facts, commerce) = (event.facts, event.facts.commerce)
        try connection.execute(Self.insertEvent) { row in
            row.bind(event.id.rawValue)
            row.bind(event.scope.app.rawValue)
            row.bind(event.scope.mode.rawValue)
            row.bind(event.endpoint)
            row.bind(event.name)
            row.bind(event.device?.rawValue)
            row.bind(event.identity?.rawValue)
            row.bind(event.session?.rawValue)
            row.bind(event.touch?.click.id.rawValue)
            row.bind(event.touch?.click.link.rawValue)
            row.bind(event.bodyText)
            row.bind(facts.kind.rawValue)
            row.bind(event.revenue?.millionths)
            row.bind(commerce.revenueText)
            row.bind(commerce.currency?.code)
            row.bind(commerce.transactionID)
        }
    }

    private static let insertEvent = StaticSQL(
        insertInto: "events",
        """
        id, app_id, mode, endpoint, name, device_id, identity_id, session_id, touch_click_id, touch_link_id, body, kind, revenue,
        revenue_text, currency, transaction_id
        """)

    package func claim(_ claim: TransactionClaim, for event: Event.ID, in scope: Scope) throws -> TransactionClaim.Outcome {
        let earlier = try connection.first(
            Self.findTransaction,
            { values in
                values.bind(scope)
                values.bind(claim.name)
                values.bind(claim.transaction)
                values.bind(claim.claimant)
            }
        ) { $0.id(0) as Event.ID }
        let holder = try connection.first(
            """
            INSERT INTO event_transactions (app_id, mode, name, transaction_id, claimant_id, event_id, is_authenticated)
            VALUES (\(scope.app), \(scope.mode), \(claim.name), \(claim.transaction), \(claim.claimant), \(event),
                \(claim.isAuthenticated))
            ON CONFLICT (app_id, mode, name, transaction_id, claimant_id)
            DO UPDATE SET is_authenticated = excluded.is_authenticated, event_id = CASE
                WHEN (SELECT revenue FROM events WHERE id = event_transactions.event_id)
                    IS DISTINCT FROM CAST(\(claim.revenue?.millionths) AS BIGINT) THEN excluded.event_id
                ELSE event_transactions.event_id END
            WHERE event_transactions.is_authenticated < excluded.is_authenticated
            RETURNING event_id
            """
        ) { $0.id(0) as Event.ID }
        if let holder { return earlier == nil ? .taken : holder == event ? .takenOver : .confirmed(holder) }
        guard let earlier else { throw Failure.unavailable("The transaction was reported at the same time; please try again.") }
        return .repeated(earlier)
    }

    private static let findTransaction = StaticSQL(
        """
        SELECT event_id FROM event_transactions
        WHERE app_id = $1 AND mode = $2 AND name = $3 AND transaction_id = $4 AND claimant_id = $5
        """)

    package func bodyText(of event: Event.ID) throws -> String? {
        try connection.first("SELECT body FROM events WHERE id = \(event)") { $0.text(0) }
    }

    package func setBody(_ body: String, of event: Event.ID) throws {
        try connection.execute("UPDATE events SET body = \(body) WHERE id = \(event)")
    }

    package func count(_ problem: EventProblem, of name: StandardEvent?, in scope: Scope) throws {
        try connection.execute(
            """
            INSERT INTO event_problems (app_id, mode, problem, name, events, last_at)
            VALUES (\(scope.app), \(scope.mode), \(problem.rawValue), \(name?.rawValue ?? ""), 1, \(now))
            ON CONFLICT (app_id, mode, problem, name)
            DO UPDATE SET events = event_problems.events + 1, last_at = excluded.last_at
            """)
    }

    package func eventProblems(in scope: Scope) throws -> [EventProblemCount] {
        try connection.query(
            """
            SELECT problem, name, events, last_at FROM event_problems
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY last_at DESC, problem, name
            """
        ) { row in
            EventProblem(rawValue: row.text(0)).map {
                EventProblemCount(
                    problem: $0, name: StandardEvent(rawValue: row.text(1)), events: row.integer(2), lastAt: row.time(3))
            }
        }.compactMap { $0 }
    }

    /// Deletes an event and the transaction recorded for it.
    func eraseEvent(_ id: Int64) throws {
        try deleteTransaction(of: Event.ID(rawValue: id))
        try connection.execute("DELETE FROM events WHERE id = \(id)")
    }

    /// Deletes the record of the transaction that an event holds.
    func deleteTransaction(of event: Event.ID) throws {
        try connection.execute("DELETE FROM event_transactions WHERE event_id = \(event)")
    }
}
