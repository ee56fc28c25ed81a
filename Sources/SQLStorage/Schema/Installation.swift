import Linden

extension SQLTransaction {
    package func knownBaseURL() throws -> String? {
        try connection.first("SELECT value FROM installation WHERE name = 'base_url'") { $0.text(0) }
    }

    package func remember(baseURL: String) throws {
        try connection.execute(
            """
            INSERT INTO installation (name, value) VALUES ('base_url', \(baseURL))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// The key behind this installation's public ids, made with the database.
    package func installationKey(random: RandomSource) throws -> InstallationKey {
        let new = InstallationKey(random: random)
        try connection.execute(
            """
            INSERT INTO installation (name, value) VALUES ('public_id_key', \(new.text)) ON CONFLICT (name) DO NOTHING
            """)
        let text = try connection.first("SELECT value FROM installation WHERE name = 'public_id_key'") { $0.text(0) }
        guard let key = text.flatMap(InstallationKey.init(text:)) else {
            throw Failure(.invalid, "The database's public_id_key is damaged; restore the installation table from a backup.")
        }
        return key
    }
}
