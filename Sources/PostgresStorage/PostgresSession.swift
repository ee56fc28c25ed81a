import CPostgres
import LindenKernel

/// How a connection is opened: the address, and the settings of its session.
struct PostgresSession: Sendable {
    enum Use {
        case writes
        case reads
        case questions
        /// Reads a source of a copy, which may be a standby.
        case copies
        /// Holds the lock of the leader, see ``PooledLeader``.
        case leads
    }

    private let address: PostgresAddress
    private let use: Use
    /// The commands that a new session begins with; nil for none.
    private let sessionSettings: String?
    /// The command that a transaction begins with; nil where the session has the settings.
    let transactionSettings: String?
    /// See ``PostgresOptions/prepares``.
    let prepares: Bool
    /// The time after which the server ends the session of a process that was stopped between its transactions, so that another one can
    /// become the leader. The writer of a server asks something several times a second.
    static let mostIdle: Duration = .seconds(10)

    init(_ address: PostgresAddress, for use: Use, _ options: PostgresOptions) {
        self.address = address
        self.use = use
        prepares = options.prepares
        let isWriter = if case .writes = use { options.isServer } else { false }
        // 0 is no limit.
        var limit = options.isServer ? options.statementLimit : .zero
        if case .questions = use, let question = options.questionLimit { limit = question }
        // A process that was stopped in the middle of a transaction must not keep others from writing. Servers send one statement after the
        // other, and commands may have to read a file in between.
        var pause = Duration.seconds(options.isServer ? 5 : 60)
        if case .leads = use { pause = Self.mostIdle }
        var settings = [
            ("statement_timeout", "\(limit.inMilliseconds)"),
            ("idle_in_transaction_session_timeout", "\(pause.inMilliseconds)"),
        ]
        if isWriter { settings.append(("lock_timeout", "\(options.turnLimit.inMilliseconds)")) }
        if options.acknowledgesEarly { settings.append(("synchronous_commit", "off")) }
        guard prepares else {
            sessionSettings = nil
            transactionSettings = "SELECT " + settings.map { "set_config('\($0)', '\($1)', true)" }.joined(separator: ", ")
            return
        }
        if isWriter { settings.append(("idle_session_timeout", "\(Self.mostIdle.inMilliseconds)")) }
        // The database's side gives up a connection as soon as this one. On a Unix socket they have no effect.
        settings += [
            ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "2"), ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "10000"),
        ]
        sessionSettings = settings.map { "SET \($0) = \($1)" }.joined(separator: "; ")
        transactionSettings = nil
    }

    /// Whether its statements are questions, whose time is limited.
    var isOfQuestions: Bool {
        if case .questions = use { true } else { false }
    }

    /// Whether it needs a primary: a standby takes no writes, and its rows may be old.
    private var needsPrimary: Bool {
        if case .copies = use { false } else { true }
    }

    /// Opens a connection. One whose other side does not answer any more is lost after 10 seconds. Parameters of the address take precedence
    /// over these defaults, but for the encoding.
    ///
    /// Of several hosts, the first one that can be written is taken. Fails with ``PostgresError/readOnly`` if a connection that is opened
    /// again, as after a failover, is that of a standby.
    func open() throws -> OpaquePointer {
        // A session of one host is checked below, whose message is clearer.
        let hosts = address.hasSeveralHosts && needsPrimary ? [("target_session_attrs", "read-write")] : []
        let handle = Self.connect(
            hosts + [
                ("fallback_application_name", "linden"), ("connect_timeout", "5"), ("keepalives_idle", "4"),
                ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("dbname", address.uri),
                ("client_encoding", "UTF8"),
            ])
        guard let handle else { throw PostgresError(state: "53200", message: "out of memory") }
        do {
            guard PQstatus(handle) == CONNECTION_OK else { throw PostgresError(handle, nil) }
            // Notices, such as that a table exists already, would be printed.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            // One round trip for both.
            let commands = [sessionSettings, "SHOW transaction_read_only"].compactMap(\.self).joined(separator: "; ")
            let isWritable = try Self.run(commands, handle) == "off"
            guard isWritable || !needsPrimary else {
                throw PostgresError(state: PostgresError.readOnly, message: "the session is read-only")
            }
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    /// The key of the leader's lock: "Lind" in ASCII with a hash of the schema, because several installations may share a database.
    static let leaderLock = "1281978980, hashtext(COALESCE(current_schema(), ''))"

    /// Runs commands and returns the last one's first value, if it has one.
    private static func run(_ commands: String, _ handle: OpaquePointer) throws -> String? {
        let result = PQexec(handle, commands)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK: return nil
        case PGRES_TUPLES_OK: return PQgetvalue(result, 0, 0).map { String(cString: $0) }
        default: throw PostgresError(handle, result)
        }
    }

    private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
        var strings: [ContiguousArray<CChar>] = []
        for (keyword, value) in parameters {
            strings.append(keyword.utf8CString)
            strings.append(value.utf8CString)
        }
        // One block of memory holds all strings, so that their addresses are valid together.
        let block = ContiguousArray(strings.joined())
        return block.withUnsafeBufferPointer { block in
            var (keywords, values): ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) = ([], [])
            var offset = 0
            for (index, string) in strings.enumerated() {
                let start = block.baseAddress! + offset
                if index.isMultiple(of: 2) { keywords.append(start) } else { values.append(start) }
                offset += string.count
            }
            return PQconnectdbParams(keywords + [nil], values + [nil], 1)
        }
    }
}

extension Duration {
    var inMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
