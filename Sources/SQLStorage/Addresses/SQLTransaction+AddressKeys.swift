import Linden
import LindenKernel

extension SQLTransaction {
    /// Returns all address keys, newest first: at most one for each day of the longest match window.
    package func addressKeys() throws -> [AddressKey] {
        try connection.query("SELECT day, secret, needed_until FROM address_keys ORDER BY day DESC", AddressKey.init)
    }

    package func keep(_ key: AddressKey) throws -> AddressKey {
        try connection.execute(
            """
            INSERT INTO address_keys (day, secret, needed_until) VALUES (\(key.day), \(key.secret), \(key.expiresAt))
            ON CONFLICT (day) DO UPDATE SET needed_until = excluded.needed_until
            WHERE address_keys.needed_until < excluded.needed_until
            """)
        let kept = try connection.first(
            "SELECT day, secret, needed_until FROM address_keys WHERE day = \(key.day)", AddressKey.init)
        guard let kept else {
            throw Failure.unavailable("The key of the day was deleted while it was being read; please try again.")
        }
        return kept
    }

    /// Deletes expired keys. SQLite overwrites deleted content with zeros (`secure_delete`).
    package func deleteAddressKeys(notNeededAt time: Timestamp, before day: Int64) throws {
        try connection.execute("DELETE FROM address_keys WHERE needed_until <= \(time) OR day < \(day)")
    }
}

extension AddressKey {
    fileprivate init(_ row: any SQLRow) {
        self.init(day: row.integer(0), secret: row.blob(1), expiresAt: row.time(2))
    }
}
