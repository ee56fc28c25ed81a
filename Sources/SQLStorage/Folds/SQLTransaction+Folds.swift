import Linden

extension SQLTransaction {
    /// The last id that a fold has counted.
    func foldedThrough(_ fold: String) throws -> Int64 {
        try connection.first("SELECT through_id FROM folds WHERE name = \(fold)") { $0.integer(0) } ?? 0
    }

    func setFolded(_ fold: String, through id: Int64) throws {
        try connection.execute(
            """
            INSERT INTO folds (name, through_id) VALUES (\(fold), \(id))
            ON CONFLICT (name) DO UPDATE SET through_id = excluded.through_id
            """)
    }
}
