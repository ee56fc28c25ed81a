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
            for table in tables where try lastKey(of: table) != nil {
                throw Failure(
                    .conflict,
                    "The database \(target.name) has data: the table \(table.name) is not empty. Name a new database by --to.")
            }
            try progress.create(tables)
        }
    }

    /// Deletes the copied rows of tables whose source has changed since then, and of those that reference them.
    func discardChanged(_ tables: [CopiedTable], _ checksums: inout [String: RowChecksum], _ progress: CopyProgress) throws {
        var changed: Set<String> = []
        for table in tables {
            let isReferring = !table.references.isDisjoint(with: changed)
            if try isReferring || !isPrefix(of: table, checksums[table.name] ?? RowChecksum()) { changed.insert(table.name) }
        }
        try target.withTransaction {
            for table in tables.reversed() where changed.contains(table.name) {
                try target.connection.execute(SQL(text: "DELETE FROM \(table.name)", values: []))
                try progress.save(RowChecksum(), of: table)
                checksums[table.name] = nil
            }
        }
    }

    /// Whether the rows that were copied of a table are still the source's first ones.
    private func isPrefix(of table: CopiedTable, _ copied: RowChecksum) throws -> Bool {
        guard let last = try lastKey(of: table) else { return copied == RowChecksum() }
        try report(.comparing(table.name))
        var checksum = RowChecksum()
        var buffer: [UInt8] = []
        try source.connection.read(table.rows(through: last)) { row in
            checksum.add(table.values(of: row, storesNUL: target.storesNUL), &buffer)
            return true
        }
        return checksum == copied
    }
}
