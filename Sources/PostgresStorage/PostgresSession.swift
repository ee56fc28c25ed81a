import CPostgres
import LindenKernel

/// How a connection is opened: the address, and the settings of its session.
struct PostgresSession: Sendable {
    enum Use {
        /// Writes, and may hold the lease of the server.
        case writes(isServer: Bool)
        case reads
        case questions
    }

    private let address: PostgresAddress
    private let use: Use
    private let settings: String

    init(_ address: PostgresAddress, for use: Use, _ options: PostgresOptions) {
        self.address = address
        self.use = use
        // 0 is no limit.
        var limit = options.isServer ? options.statementLimit : .zero
        if case .questions = use, let question = options.questionLimit { limit = question }
        var settings = [
            "SET statement_timeout = \(limit.inMilliseconds)",
            // A process that was stopped in the middle of a transaction must not keep others from writing.
            "SET idle_in_transaction_session_timeout = 60000",
        ]
        if options.acknowledgesEarly { settings.append("SET synchronous_commit = off") }
        self.settings = settings.joined(separator: "; ")
    }

    /// Whether its statements are questions, whose time is limited.
    var isOfQuestions: Bool {
        if case .questions = use { true } else { false }
    }

    /// Opens a connection. Parameters of the address take precedence over these defaults, but for the encoding.
    func open() throws -> OpaquePointer {
        let handle = Self.connect([
            ("fallback_application_name", "linden"), ("connect_timeout", "5"), ("keepalives_idle", "15"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ])
        guard let handle else { throw PostgresError(state: "53200", message: "out of memory") }
        do {
            guard PQstatus(handle) == CONNECTION_OK else { throw PostgresError(handle, nil) }
            // Notices, such as that a table exists already, would be printed.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            try Self.run(settings, handle)
            if case .writes(isServer: true) = use { try takeLease(handle) }
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    /// The key of the server's lease: "Lind" in ASCII with a hash of the schema, because several installations may share a database.
    static let lease = "1281978980, hashtext(COALESCE(current_schema(), ''))"

    /// Takes the lease of the server: a lock that ends with the connection, so that a killed server never prevents the next one from
    /// starting.
    private func takeLease(_ handle: OpaquePointer) throws {
        let result = PQexec(handle, "SELECT pg_try_advisory_lock(\(Self.lease))")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw PostgresError(handle, result) }
        guard PQgetvalue(result, 0, 0).map({ String(cString: $0) }) == "t" else { throw PostgresError.leaseIsTaken }
    }

    private static func run(_ commands: String, _ handle: OpaquePointer) throws {
        let result = PQexec(handle, commands)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw PostgresError(handle, result) }
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
    fileprivate var inMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
