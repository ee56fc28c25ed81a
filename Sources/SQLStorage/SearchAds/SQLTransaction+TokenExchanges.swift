import Linden
import LindenKernel

extension SQLTransaction {
    package func tokenExchanges(dueAt time: Timestamp, limit: Int) throws -> [TokenExchange] {
        // The due ones are sorted without their tokens, and only the first of them.
        try connection.query(
            """
            SELECT session_id, app_id, token, attempts, due_at FROM token_exchanges WHERE session_id IN (
                SELECT session_id FROM (
                    SELECT session_id, app_id, due_at FROM token_exchanges WHERE due_at <= \(time) ORDER BY due_at LIMIT 10000) AS due
                ORDER BY ROW_NUMBER() OVER (PARTITION BY app_id ORDER BY due_at), due_at LIMIT \(limit))
            """
        ) { TokenExchange(session: $0.id(0), app: $0.id(1), token: $0.text(2), state: $0.jobState(3)) }
    }

    package func insert(_ exchange: TokenExchange) throws {
        try connection.execute(
            """
            INSERT INTO token_exchanges (session_id, app_id, token, attempts, due_at)
            VALUES (\(exchange.session), \(exchange.app), \(exchange.token), \(exchange.state.attempts), \(exchange.state.dueAt))
            """)
    }

    package func claim(_ exchange: TokenExchange, until next: Timestamp) throws -> Bool {
        try claimJob(exchange.session.rawValue, by: "session_id", in: "token_exchanges", exchange.state, until: next)
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
