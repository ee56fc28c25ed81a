import LindenKernel

extension SQLTransaction {
    package func knownBaseURL() throws -> String? {
        try connection.first("SELECT value FROM installation WHERE name = 'base_url'") { $0.text(0) }
    }

    package func isEmpty() throws -> Bool {
        try !connection.hasRows("SELECT 1 FROM apps LIMIT 1")
    }

    package func newestLogRow() throws -> Timestamp? {
        let newest = try ["clicks", "sessions", "events"].map { (table: StaticString) in
            try connection.first("SELECT MAX(id) FROM \(raw: table)") { $0.optionalInteger(0) }.flatMap { $0 }
        }
        return newest.compactMap { $0 }.max().map { IDGenerator.time(of: $0) }
    }

    package func remember(baseURL: String) throws {
        try connection.execute(
            """
            INSERT INTO installation (name, value) VALUES ('base_url', \(baseURL))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    package func probe() throws {
        let text = String(repeating: "0", count: 64 << 10)
        try connection.execute("INSERT INTO installation (name, value) VALUES ('probe', \(text))")
        try connection.execute("DELETE FROM installation WHERE name = 'probe'")
    }

    /// The key behind this installation's public ids; nil before it is created.
    package func installationKey() throws -> InstallationKey? {
        let text = try connection.first("SELECT value FROM installation WHERE name = 'public_id_key'") { $0.text(0) }
        return try text.map { text in
            guard let key = InstallationKey(text: text) else {
                throw Failure(.unusable, "The database's public_id_key is damaged; restore the installation table from a backup.")
            }
            return key
        }
    }

    /// Creates the key, unless another process has done so already; returns the stored one.
    package func makeInstallationKey(random: RandomSource) throws -> InstallationKey? {
        let new = InstallationKey(random: random)
        try connection.execute(
            """
            INSERT INTO installation (name, value) VALUES ('public_id_key', \(new.text)) ON CONFLICT (name) DO NOTHING
            """)
        return try installationKey()
    }
}
