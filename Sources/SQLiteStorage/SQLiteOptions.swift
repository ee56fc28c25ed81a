import SQLStorage

/// Options for opening a database.
package struct SQLiteOptions: Sendable {
    package enum Durability: String, Sendable, CaseIterable {
        /// Every commit is on the disk before it is acknowledged.
        case full
        /// A commit survives a crash of the program but perhaps not of the machine.
        case normal
    }

    package var durability: Durability
    package var readers: Int
    /// Reader threads of low priority, for questions that may read many rows.
    package var analysts: Int
    /// The longest time of a question; nil for any.
    package var questionLimit: Duration?
    /// The number of calls that may wait for the writer, and for the readers, before further ones are refused. Calls of clients and those of
    /// the server itself are counted apart; a client's counts as one more for each KiB of its body.
    package var queueLimit: Int
    /// Whether this process moves the write-ahead log into the database: the server does, a command must not.
    package var checkpoints: Bool
    /// The bytes of a write-ahead log that is large, and of what readers keep from being moved out of one, see ``LogRelief``. What they kept is
    /// moved at once when they have ended, for which all writers wait: some 3 ms for each MB.
    package var (largeLogBytes, mostKeptLogBytes) = (512 << 20, 32 << 20)
    /// Whether a missing database is created; one in memory always is.
    package var creates: Bool
    /// Whether a file of 0 bytes is opened as a new database instead of being refused as one that lost its content.
    package var fillsEmptyFile: Bool
    /// The server that needs the database's lease; nil for a command.
    package var server: ServerLease.Holder?
    /// The time in which another server that has the lease may end.
    package var leasePatience = Duration.zero
    /// The number of pending clicks that may be in memory before further ones are refused. Nil writes each to its table with its click,
    /// as every process must that is not the database's only server.
    package var pendingClickLimit: Int?
    /// Whether a database that holds an unfinished copy is opened, by the command that finishes it.
    var isCopyTarget = false
    package var metrics = StorageMetrics()

    package init(
        durability: Durability = .full, readers: Int = 4, analysts: Int = 3, questionLimit: Duration? = nil, queueLimit: Int = 8192,
        checkpoints: Bool = false,
        creates: Bool = false, fillsEmptyFile: Bool = false, server: ServerLease.Holder? = nil,
        pendingClickLimit: Int? = nil
    ) {
        self.pendingClickLimit = pendingClickLimit
        self.fillsEmptyFile = fillsEmptyFile
        self.durability = durability
        self.readers = readers
        self.analysts = analysts
        self.questionLimit = questionLimit
        self.queueLimit = queueLimit
        self.checkpoints = checkpoints
        self.creates = creates
        self.server = server
    }

    var writerPragmas: String {
        """
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA synchronous = \(durability.rawValue);
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -32768;
        PRAGMA temp_store = MEMORY;
        """
    }

    static let readerPragmas = """
        PRAGMA query_only = ON;
        PRAGMA cache_size = -4096;
        PRAGMA temp_store = MEMORY;
        """
}
