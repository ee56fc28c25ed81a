import LindenKernel

extension InstallationCopy {
    /// Fails with `unusable` unless a database is a complete one of Linden with the schema of this version.
    static func check(_ source: any CopySource) throws {
        let tables = try source.tables()
        if tables.contains(where: { $0.name == CopyProgress.table }) { throw Failure.unfinishedCopy(source.name) }
        guard tables.contains(where: { $0.name == "migrations" }) else {
            throw Failure.unusable("The database \(source.name) is not one of Linden.")
        }
        guard try source.migrations().allSatisfy({ $0.appliedAt != nil }) else {
            throw Failure.unusable(
                "The schema of the database \(source.name) is older than this linden. Run linden migrate on it first.")
        }
    }

    /// Returns the tables to copy, in the order of their references. Fails with `unusable` if the target has not all of them.
    func copiedTables() throws -> [CopiedTable] {
        let ours = Dictionary(uniqueKeysWithValues: try target.tables().map { ($0.name, $0) })
        let copied = try source.tables().filter { !CopiedTable.uncopied.contains($0.name) }.map { table in
            guard let match = ours[table.name] else {
                throw Failure.unusable(
                    "The table \(table.name) of the database \(source.name) is not one of this linden, and cannot be copied.")
            }
            guard table.matches(match), !table.key.isEmpty else {
                throw Failure.unusable(
                    "The table \(table.name) of the database \(source.name) has other columns than that of \(target.name).")
            }
            return match
        }
        return try CopiedTable.inOrderOfReferences(copied)
    }

    /// Begins a copy. Fails with `conflict` if the target has data.
    func begin(_ tables: [CopiedTable], _ progress: CopyProgress) throws {
        try target.withTransaction {
            // The migrations write the version of the schema, which is among the rows to copy.
            try target.connection.execute("DELETE FROM installation WHERE name = 'schema_version'")
            for table in tables where try target.connection.hasRows(table.anyRow) {
                throw Failure(
                    .conflict,
                    "The database \(target.name) has data: the table \(table.name) is not empty. Name a new database by --to.")
            }
            try progress.create()
        }
    }
}
