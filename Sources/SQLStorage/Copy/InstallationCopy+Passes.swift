import Foundation
import LindenKernel

/// How far a copy was behind a source that a server has.
package struct CopyLag: Sendable {
    /// The number of rows that the last pass copied.
    package let rows: Int64
    /// The time that it took. The last pass, once the server has stopped, takes about as long.
    package let duration: Duration
    /// Whether passes do not become much shorter any more.
    package let isSmall: Bool
}

extension InstallationCopy {
    /// A pass that takes less counts as short.
    private static let shortPass: Duration = .seconds(5)
    private static let shortestPause: Duration = .seconds(1)

    /// Copies what has changed since the pass before, again and again, until no server has the source. Returns the time of its last view.
    func follow(
        _ tables: [CopiedTable], _ ranges: inout [String: [CopiedRange]], _ progress: CopyProgress
    ) throws -> Timestamp {
        try target.withTransaction { try verify(tables, &ranges) }
        var earlier: Duration?
        while true {
            // Before the view, which then has all that the server has written.
            let isStopped = try isStopped()
            let asOf = clock.now()
            try source.renewView()
            try Self.check(source)
            let began = ContinuousClock.now
            let rows = try pass(tables, complete: tables.count, &ranges, progress)
            try target.withTransaction { try verify(tables, &ranges) }
            let duration = ContinuousClock.now - began
            if isStopped, try !source.isServed() { return asOf }
            let isSmall = duration < Self.shortPass || earlier.map { duration > $0 / 2 } ?? false
            try report(.following(CopyLag(rows: rows, duration: duration, isSmall: isSmall)))
            earlier = duration
            // Half of the time is the server's.
            let end = ContinuousClock.now + max(min(patience, Self.shortestPause), duration)
            while ContinuousClock.now < end, try source.isServed() { Thread.sleep(forTimeInterval: 0.1) }
        }
    }

    private func isStopped() throws -> Bool {
        guard try !source.isServed() else { return false }
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.1) }
        return try !source.isServed()
    }

    /// Makes the target's rows those of the source's view. Returns the number of rows that were copied.
    ///
    /// - Parameter complete: the number of the first tables that an earlier pass has copied to their end.
    @discardableResult
    func pass(
        _ tables: [CopiedTable], complete: Int, _ ranges: inout [String: [CopiedRange]], _ progress: CopyProgress
    ) throws -> Int64 {
        let changed = try tables.map { try changedRanges(of: $0, ranges[$0.name] ?? []) }
        var rows: Int64 = 0
        if complete > 0 || !ranges.isEmpty {
            // One transaction: rows may refer to new ones of another table, and have the unique values of deleted ones.
            try target.withTransaction {
                try target.deferReferences()
                for (table, indices) in zip(tables, changed) {
                    let copied = ranges[table.name] ?? []
                    for index in indices {
                        try target.connection.execute(table.deletion(after: copied.start(of: index), through: copied[index].last))
                    }
                }
                for (position, table) in tables.enumerated() {
                    var copied = ranges[table.name] ?? []
                    for index in changed[position] {
                        let start = copied.start(of: index)
                        rows += try copy(table, after: start, &copied[index], progress)
                    }
                    if position < complete { rows += try copyRest(of: table, to: &copied, commits: false, progress) }
                    if !copied.isEmpty { ranges[table.name] = copied }
                }
                try target.checkReferences()
            }
        }
        for table in tables.dropFirst(complete) {
            var copied = ranges[table.name] ?? []
            rows += try copyRest(of: table, to: &copied, commits: true, progress)
            if !copied.isEmpty { ranges[table.name] = copied }
        }
        return rows
    }

    /// Returns the positions of the ranges whose rows in the source are not those that were copied.
    private func changedRanges(of table: CopiedTable, _ ranges: [CopiedRange]) throws -> [Int] {
        guard !ranges.isEmpty else { return [] }
        try report(.comparing(table.name))
        var buffer: [UInt8] = []
        return try ranges.indices.filter { index in
            var checksum = RowChecksum()
            try source.connection.read(table.rows(after: ranges.start(of: index), through: ranges[index].last)) { row in
                checksum.add(table.values(of: row, storesNUL: target.storesNUL), &buffer)
                return true
            }
            return checksum != ranges[index].checksum
        }
    }

    /// Copies the rows of a range whose former ones were deleted. Returns their number.
    private func copy(
        _ table: CopiedTable, after start: [SQLValue]?, _ range: inout CopiedRange, _ progress: CopyProgress
    ) throws -> Int64 {
        var checksum = RowChecksum()
        var buffer: [UInt8] = []
        try source.connection.read(table.rows(after: start, through: range.last)) { row in
            let values = table.values(of: row, storesNUL: target.storesNUL)
            try target.insert(values, into: table)
            checksum.add(values, &buffer)
            return true
        }
        try target.endInserting()
        range.checksum = checksum
        range.isVerified = false
        try progress.save(range, of: table)
        try report(.copying(table.name, rows: checksum.rows))
        return checksum.rows
    }

    /// Copies the rows after the last range, in new ranges. Returns their number.
    ///
    /// - Parameter commits: whether each range is copied in a transaction of its own; otherwise there is one.
    private func copyRest(
        of table: CopiedTable, to ranges: inout [CopiedRange], commits: Bool, _ progress: CopyProgress
    ) throws -> Int64 {
        var added: [CopiedRange] = []
        let (end, first, earlier) = (ranges.last?.last, Int64(ranges.count), ranges.checksum.rows)
        var (total, checksum) = (Int64(0), RowChecksum())
        var last: [SQLValue] = []
        var buffer: [UInt8] = []
        var isWriting = false
        func endRange() throws {
            try target.endInserting()
            let range = CopiedRange(number: first + Int64(added.count), last: table.key(of: last), checksum: checksum)
            try progress.save(range, of: table)
            if commits { try target.commit() }
            isWriting = false
            added.append(range)
            total += checksum.rows
            checksum = RowChecksum()
            try report(.copying(table.name, rows: earlier + total))
        }
        do {
            try source.connection.read(table.rows(after: end)) { row in
                if commits, !isWriting { try target.beginWriting() }
                isWriting = true
                last = table.values(of: row, storesNUL: target.storesNUL)
                try target.insert(last, into: table)
                checksum.add(last, &buffer)
                if checksum.rows == portion { try endRange() }
                return true
            }
            if isWriting { try endRange() }
        } catch {
            if commits { target.rollBack() }
            throw error
        }
        ranges += added
        return total
    }
}
