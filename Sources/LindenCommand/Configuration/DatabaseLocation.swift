import LindenKernel

#if PostgreSQL
    import PostgresStorage
#endif

/// The database that the setting `storage.database` names: a file of SQLite, or a database on PostgreSQL.
enum DatabaseLocation: Sendable {
    case sqlite(path: String)
    #if PostgreSQL
        case postgres(PostgresAddress)
    #endif

    /// Parses `sqlite:` and a path, a path alone, or a URL of PostgreSQL.
    init(_ text: String) throws {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            #if PostgreSQL
                self = .postgres(try PostgresAddress(text))
                return
            #else
                throw Failure.unusable(
                    "names PostgreSQL, which this build of linden was made without (the package trait PostgreSQL)")
            #endif
        }
        let path = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
        let hasOtherScheme = path == text && text.prefix { $0 != "/" && $0 != "." }.contains(":")
        guard !path.isEmpty, !hasOtherScheme, !path.contains("://") else {
            throw Failure.unusable(
                "must be sqlite: and the path of a file, such as sqlite:linden.db, or a URL of PostgreSQL, such as "
                    + "postgres://linden@localhost/linden")
        }
        self = .sqlite(path: path)
    }

    /// Parses the setting. A message about a URL of PostgreSQL does not show it, because it may hold a password.
    init(setting text: String) throws {
        do {
            try self.init(text)
        } catch let failure as Failure {
            let shown = text.hasPrefix("postgres") ? text.prefix { $0 != ":" } + "://…" : text[...]
            throw Failure.setting("storage.database", String(shown), failure.message)
        }
    }

    /// The path of the file; nil for a database on PostgreSQL.
    var path: String? {
        if case .sqlite(let path) = self { path } else { nil }
    }

    /// The database without its password, for messages.
    var shown: String {
        switch self {
        case .sqlite(let path): path
        #if PostgreSQL
            case .postgres(let address): address.shown
        #endif
        }
    }

    /// Returns the path of the file. Fails with `unusable` on PostgreSQL, whose own tools make and restore backups.
    func path(for purpose: String) throws -> String {
        guard let path else {
            throw Failure.unusable(
                "\(purpose) is for databases of SQLite. Use PostgreSQL's own tools for \(shown): pg_dump and pg_restore, or "
                    + "pg_basebackup.")
        }
        return path
    }
}
