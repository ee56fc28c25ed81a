import LindenKernel

/// A copy of all rows of an installation to another database, on the same engine or the other one.
///
/// Tables are copied in the order of their references, and rows in the order of the primary key, a range in each transaction. A later pass
/// over the source compares its rows with each range that was copied, copies the ranges that differ again, and then what comes after them.
/// So a copy that was interrupted goes on where it stopped, and the copy of a database that a server has follows what it writes. All rows of
/// the target are read once they are written, and compared by their checksums.
package struct InstallationCopy {
    /// What the copy is doing, with the number of rows of the table so far.
    package enum Step: Sendable {
        case comparing(String)
        case copying(String, rows: Int64)
        case verifying(String, rows: Int64)
        /// A pass over a source that a server has is done.
        case following(CopyLag)
    }

    let source: any CopySource
    let target: any CopyTarget
    /// The number of rows in a range.
    let portion: Int64
    let clock: WallClock
    /// How long no server may be seen before the source counts as stopped: one that has crashed is started again within seconds, and of
    /// several, another one takes over.
    let patience: Duration
    /// The time of the source's first view.
    private let began: Timestamp
    let report: (Step) throws -> Void

    /// Opens the target. Fails with `unusable` before that if the source cannot be copied.
    ///
    /// - Parameters:
    ///   - portion: the number of rows in a transaction of the first pass.
    ///   - report: called after each step. What it throws interrupts the copy.
    package init(
        from source: any CopySource, to target: @autoclosure () throws -> any CopyTarget, portion: Int64 = 10_000,
        clock: WallClock = .system, patience: Duration = .seconds(10),
        report: @escaping (Step) throws -> Void = { _ in }
    ) throws {
        began = clock.now()
        try Self.check(source)
        self.source = source
        self.target = try target()
        self.portion = portion
        self.clock = clock
        self.patience = patience
        self.report = report
    }

    /// Copies what is not in the target yet.
    ///
    /// - Parameter follows: whether to go on with what servers write, until none has the source.
    /// - Throws: `unusable` or `conflict` with a sentence for the operator if a database cannot be used, or the copy differs from its
    ///   source.
    package func run(follows: Bool = false) throws -> CopyResult {
        let wasServed = try source.isServed()
        let tables = try copiedTables()
        let progress = try CopyProgress(target, of: source)
        let isUnfinished = try target.tables().contains { $0.name == CopyProgress.table }
        var ranges = isUnfinished ? try progress.load(target.name) : [:]
        if !isUnfinished { try begin(tables, progress) }
        // Tables are begun one after the other, so those before the last one that was begun are complete.
        let begun = tables.lastIndex { ranges[$0.name] != nil } ?? 0
        try pass(tables, complete: begun, &ranges, progress)
        let asOf = follows ? try follow(tables, &ranges, progress) : began
        let isServed = try source.isServed()
        let newPendingClicks = try target.withTransaction {
            try verify(tables, &ranges)
            if let broken = try target.connection.brokenReferences(limit: 1).first {
                throw Failure.unusable("The copy is not complete: \(broken)")
            }
            let merged = try mergePendingClicks()
            try progress.drop()
            return merged
        }
        try target.finish()
        return CopyResult(
            tables: tables.map { ($0.name, (ranges[$0.name] ?? []).checksum.rows) }, newPendingClicks: newPendingClicks, asOf: asOf,
            isContinued: isUnfinished, isServed: isServed || wasServed && !follows)
    }

    /// Reads the target's rows that were not read since they were written. Fails with `unusable` if they are not those of the source.
    func verify(_ tables: [CopiedTable], _ ranges: inout [String: [CopiedRange]]) throws {
        for table in tables {
            var copied = ranges[table.name] ?? []
            if copied.allSatisfy({ !$0.isVerified }) {
                try verify(table, table.rows, copied.checksum, "the table \(table.name)")
            } else {
                for (index, range) in copied.enumerated() where !range.isVerified {
                    let rows = table.rows(after: copied.start(of: index), through: range.last)
                    try verify(table, rows, range.checksum, "a part of the table \(table.name)")
                }
            }
            for index in copied.indices { copied[index].isVerified = true }
            if !copied.isEmpty { ranges[table.name] = copied }
        }
    }

    private func verify(_ table: CopiedTable, _ rows: SQL, _ expected: RowChecksum, _ part: String) throws {
        var checksum = RowChecksum()
        var buffer: [UInt8] = []
        try target.connection.read(rows) { row in
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
                "The copy differs from its source: \(part) \(difference). Remove the database \(target.name), and copy again.")
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
