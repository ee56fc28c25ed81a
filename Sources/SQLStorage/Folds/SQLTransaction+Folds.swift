import Linden

extension SQLTransaction {
    /// The cursor of an aggregate: the last id it has counted; 0 if it has counted none.
    func cursor(_ fold: String) throws -> Int64 {
        try connection.first("SELECT through_id FROM folds WHERE name = \(fold)") { $0.integer(0) } ?? 0
    }

    func setCursor(_ fold: String, through id: Int64) throws {
        try connection.execute(
            """
            INSERT INTO folds (name, through_id) VALUES (\(fold), \(id))
            ON CONFLICT (name) DO UPDATE SET through_id = excluded.through_id
            """)
    }
}
