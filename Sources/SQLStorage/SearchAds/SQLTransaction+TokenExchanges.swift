import Linden

extension SQLTransaction {
    package func tokenExchanges(dueAt time: Timestamp, limit: Int) throws -> [TokenExchange] {
        try connection.query(
            """
            SELECT session_id, token, tries, due_at FROM token_exchanges WHERE due_at <= \(time) ORDER BY due_at LIMIT \(limit)
            """
        ) { TokenExchange(session: $0.id(0), token: $0.text(1), tries: Int($0.integer(2)), dueAt: $0.time(3)) }
    }

    package func insert(_ exchange: TokenExchange) throws {
        try connection.execute(
            """
            INSERT INTO token_exchanges (session_id, token, tries, due_at)
            VALUES (\(exchange.session), \(exchange.token), \(exchange.tries), \(exchange.dueAt))
            """)
    }

    package func take(_ exchange: TokenExchange, until next: Timestamp) throws -> Bool {
        try connection.hasRows(
            """
            UPDATE token_exchanges SET tries = tries + 1, due_at = \(next)
            WHERE session_id = \(exchange.session) AND tries = \(exchange.tries)
            RETURNING session_id
            """)
    }

    package func deleteTokenExchange(of session: Session.ID) throws {
        try connection.execute("DELETE FROM token_exchanges WHERE session_id = \(session)")
    }

    package func hasTokenExchanges(before time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM token_exchanges WHERE session_id < \(IDGenerator.first(at: time)) LIMIT 1")
    }

    package func deleteTokenExchanges(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM token_exchanges WHERE session_id <= (
                SELECT MAX(session_id) FROM (
                    SELECT session_id FROM token_exchanges WHERE session_id < \(IDGenerator.first(at: time))
                    ORDER BY session_id LIMIT \(limit)) AS oldest)
            """)
    }
}
