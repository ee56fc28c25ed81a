import LindenKernel

/// A copy of all rows of an installation to another database, on the same engine or the other one.
///
/// Tables are copied in the order of their references, and rows in the order of the primary key, a portion in each transaction. A copy
/// that was interrupted goes on where it stopped: the source's rows up to there are compared with what was copied, and a table in which
/// they differ is copied again. In the end all rows of the target are read and compared by their checksums.
package struct InstallationCopy {
    /// What the copy is doing, with the number of rows of the table so far.
    package enum Step: Sendable {
        case comparing(String)
        case copying(String, rows: Int64)
        case verifying(String, rows: Int64)
    }

    let source: any CopySource
    let target: any CopyTarget
    private let portion: Int64
    private let clock: WallClock
    /// The time of the source's view.
    private let began: Timestamp
    let report: (Step) throws -> Void

    /// Opens the target. Fails with `unusable` before that if the source cannot be copied.
    ///
    /// - Parameters:
    ///   - portion: the number of rows in a transaction.
    ///   - report: called after each step. What it throws interrupts the copy.
    package init(
        from source: any CopySource, to target: @autoclosure () throws -> any CopyTarget, portion: Int64 = 10_000,
        clock: WallClock = .system, report: @escaping (Step) throws -> Void = { _ in }
    ) throws {
        began = clock.now()
        try Self.check(source)
        self.source = source
        self.target = try target()
        self.portion = portion
        self.clock = clock
        self.report = report
    }

    /// Copies what is not in the target yet.
    ///
    /// - Throws: `unusable` or `conflict` with a sentence for the operator if a database cannot be used, or the copy differs from its
    ///   source.
    package func run() throws -> CopyResult {
        let wasServed = try source.isServed()
        let tables = try copiedTables()
        let progress = try CopyProgress(target, of: source)
        let isUnfinished = try target.tables().contains { $0.name == CopyProgress.table }
        var checksums = isUnfinished ? try progress.load(target.name) : [:]
        if isUnfinished {
            try discardChanged(tables, &checksums, progress)
        } else {
            try begin(tables, progress)
        }
        for table in tables {
            checksums[table.name] = try copy(table, after: checksums[table.name] ?? RowChecksum(), progress)
        }
        let isServed = try source.isServed()
        let newPendingClicks = try target.withTransaction {
            for table in tables { try verify(table, checksums[table.name] ?? RowChecksum()) }
            if let broken = try target.connection.brokenReferences(limit: 1).first {
                throw Failure.unusable("The copy is not complete: \(broken)")
            }
            let merged = try mergePendingClicks()
            try progress.drop()
            return merged
        }
        try target.finish()
        return CopyResult(
            tables: tables.map { ($0.name, checksums[$0.name]?.rows ?? 0) }, newPendingClicks: newPendingClicks, asOf: began,
            isContinued: isUnfinished, isServed: wasServed || isServed)
    }

    /// Copies the rows of a table after those that were copied earlier. Returns the checksum of all.
    private func copy(_ table: CopiedTable, after copied: RowChecksum, _ progress: CopyProgress) throws -> RowChecksum {
        var checksum = copied
        var buffer: [UInt8] = []
        var isWriting = false
        func commit() throws {
            try target.endInserting()
            try progress.save(checksum, of: table)
            try target.commit()
            isWriting = false
            try report(.copying(table.name, rows: checksum.rows))
        }
        do {
            let last = try copied.rows == 0 ? nil : lastKey(of: table)
            try source.connection.read(table.rows(after: last)) { row in
                if !isWriting { try target.beginWriting() }
                isWriting = true
                let values = table.values(of: row, storesNUL: target.storesNUL)
                try target.insert(values, into: table)
                checksum.add(values, &buffer)
                if checksum.rows % portion == 0 { try commit() }
                return true
            }
            if isWriting { try commit() }
        } catch {
            target.rollBack()
            throw error
        }
        return checksum
    }

    /// The primary key of the last row that was copied; nil if there is none.
    func lastKey(of table: CopiedTable) throws -> [SQLValue]? {
        try target.connection.first(table.lastRow) { table.key(of: table.values(of: $0, storesNUL: true)) }
    }

    /// Reads the rows of a table in the target. Fails with `unusable` if they are not those of the source.
    private func verify(_ table: CopiedTable, _ expected: RowChecksum) throws {
        var checksum = RowChecksum()
        var buffer: [UInt8] = []
        try target.connection.read(table.rows) { row in
            checksum.add(table.values(of: row, storesNUL: true), &buffer)
            if checksum.rows % 100_000 == 0 { try report(.verifying(table.name, rows: checksum.rows)) }
            return true
        }
        try report(.verifying(table.name, rows: checksum.rows))
        guard checksum == expected else {
            let difference =
                checksum.rows == expected.rows
                ? "has other values" : "has \(checksum.rows) rows in the copy, and \(expected.rows) in the source"
            throw Failure.unusable(
                "The copy differs from its source: the table \(table.name) \(difference). Remove the database \(target.name), and "
                    + "copy again.")
        }
    }

    /// Gives every pending click a row. Returns the number of new rows.
    private func mergePendingClicks() throws -> Int {
        let transaction = SQLTransaction(connection: target.connection, state: SQLState(owner: "copy"), now: clock.now())
        let count = source.hasPendingClicksInMemory ? try transaction.mergeUnmergedClicks() : 0
        try transaction.endRecoveryOfPendingClicks()
        return count
    }
}

/// The outcome of a copy that succeeded.
package struct CopyResult: Sendable {
    /// The tables with their numbers of rows, in the order in which they were copied.
    package let tables: [(name: String, rows: Int64)]
    /// The number of rows of `pending_clicks` that were made of clicks which a server had in memory.
    package let newPendingClicks: Int
    /// The time of the view of the source that was copied.
    package let asOf: Timestamp
    /// Whether an earlier copy was continued.
    package let isContinued: Bool
    /// Whether a server had the source, and may have written to it since then.
    package let isServed: Bool
}
