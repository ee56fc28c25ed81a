import SQLStorage

/// Options for opening a database.
package struct PostgresOptions: Sendable {
    /// The most by which the clocks of machines may differ.
    package static let mostClockDifference: Duration = .seconds(5)

    package var readers: Int
    /// Reader threads for questions that may read many rows.
    package var analysts: Int
    /// The longest time of a question; nil for any.
    package var questionLimit: Duration?
    /// The longest time of any other statement of a server. Those of a command, such as a verification, may take any time.
    package var statementLimit = Duration.seconds(30)
    /// How long the writer of a server waits for another one's transaction until it ends that one's session if its process has
    /// stopped. It waits three times as long in all.
    package var turnLimit = Duration.seconds(8)
    /// How long a change of the schema, which has the turn of all writers, waits for a table that another session uses.
    package var schemaLockLimit = Duration.seconds(2)
    /// How long it is tried again after that.
    package var schemaPatience = Duration.seconds(600)
    /// How far this machine's clock may be ahead of the database's while it writes; nil for any, as that of a test.
    package var clockTolerance: Duration?
    /// The number of calls that may wait for the writer, and for the readers, before further ones are refused. Calls of clients and those of
    /// the server itself are counted apart; a client's counts as one more for each KiB of its body.
    package var queueLimit: Int
    /// Whether a commit is acknowledged before it is on the disk: it survives a crash of this program but perhaps not one of the
    /// database's.
    package var acknowledgesEarly: Bool
    /// Whether statements are prepared under names, and a session keeps its settings. If not, each statement is sent by its text and each
    /// transaction with its settings, so that a pooler may give each of them another session.
    package var prepares = true
    /// Whether the tables are created if the database has none.
    package var creates: Bool
    /// Whether this process is a server, of which one at a time is the leader.
    package var isServer: Bool
    /// Whether a database that holds an unfinished copy is opened, by the command that finishes it.
    var isCopyTarget = false
    package var metrics = StorageMetrics()

    package init(
        readers: Int = 4, analysts: Int = 3, questionLimit: Duration? = nil, queueLimit: Int = 8192,
        acknowledgesEarly: Bool = false, creates: Bool = false, isServer: Bool = false
    ) {
        self.readers = readers
        self.analysts = analysts
        self.questionLimit = questionLimit
        self.queueLimit = queueLimit
        self.acknowledgesEarly = acknowledgesEarly
        self.creates = creates
        self.isServer = isServer
    }
}
