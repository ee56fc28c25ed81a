/// How far an aggregation has counted a log. A batch holds the state at which it was read; it is added only if the state is still that.
package struct CountingState: Sendable, Equatable {
    /// The last id that is counted; 0 for none.
    package let through: Int64
    /// The number of times that an uncounted row was deleted or credited to another link. A batch read before such a change is out of date.
    package let changes: Int64

    package init(through: Int64, changes: Int64) {
        self.through = through
        self.changes = changes
    }
}

/// The bounds of a batch of counters, which a reader computes and a writer adds in one transaction.
package struct CountingLimit: Sendable {
    /// The number of rows that are read.
    package let rows: Int
    /// The number of counters after which no further row is read. One row has at most ten.
    package let counters: Int

    package init(rows: Int, counters: Int) {
        self.rows = rows
        self.counters = counters
    }

    /// The bounds while clicks are recorded. Other transactions wait while the counters are written, about 2 ms; few rows have that many
    /// counters if they are of few links.
    package static let standard = CountingLimit(rows: 20_000, counters: 128)
    /// The bounds of a batch that is read in the transaction that adds it.
    package static let inTransaction = CountingLimit(rows: 500, counters: 64)
    /// The bounds of a command, which has millions of rows to count: fewer and longer transactions.
    package static let bulk = CountingLimit(rows: 20_000, counters: 2_000)
}
