import Linden
import LindenKernel

extension SQLTransaction {
    /// Claims a stored job and postpones its next attempt. False if its schedule has changed since it was read.
    func claimJob(_ id: Int64, by key: StaticString, in table: StaticString, _ state: JobState, until next: Timestamp) throws
        -> Bool
    {
        try connection.changesRows(
            """
            UPDATE \(raw: table) SET attempts = attempts + 1, due_at = \(next)
            WHERE \(raw: key) = \(id) AND attempts = \(state.attempts) AND due_at = \(state.dueAt)
            """)
    }
}

extension SQLRow {
    /// Decodes a job's schedule from two adjacent columns: attempts and time.
    func jobState(_ column: Int) -> JobState { JobState(attempts: Int(integer(column)), dueAt: time(column + 1)) }
}
