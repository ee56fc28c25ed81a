import Linden
import LindenKernel
import Synchronization

/// The pending clicks that a server has not merged into the table `pending_clicks` yet, in memory.
///
/// An entry only points to a row of the click log. A look-up reads that row and compares it, so an entry without a row, or of an erased
/// click, matches nothing. Claims and device reports are rows of the table. After a crash the entries are read from the log again, from
/// the cursor ``AggregationCursor/Pass/pendingClicks`` on: up to it, all clicks of servers are merged.
package final class PendingClickIndex: Sendable {
    package struct Entry: Sendable {
        package let key: MatchKey
        package let click: Click.ID
        package let expiresAt: Timestamp

        package init(key: MatchKey, click: Click.ID, expiresAt: Timestamp) {
            self.key = key
            self.click = click
            self.expiresAt = expiresAt
        }
    }

    /// The bound of the number of entries, so of memory: about 60 bytes each.
    package let limit: Int
    private let runLength: Int
    private let state = Mutex(State())

    /// The age at which entries are merged even if they are few. Most have expired then, and are never written.
    private static let longestStay: Duration = .seconds(4 * 3600)

    private struct State {
        var current = PendingClickRun()
        /// The run that is being merged, and its entries to be written, ordered by key; nil while they are being sorted.
        var merging: PendingClickRun?
        var sorted: [Entry]?
        /// The cursor after the merge.
        var cursor: Int64 = 0
        /// When the last merge began.
        var mergeBeganAt = IDGenerator.epoch
        /// A merged run, for reads that began before its merge.
        var retired: PendingClickRun?

        var runs: [PendingClickRun] { [current, merging, retired].compactMap { $0 } }
    }

    /// - Parameters:
    ///   - limit: the maximum number of entries.
    ///   - runLength: the number of entries that are merged together. They are written in the order of the table's index: a longer
    ///     run costs less per entry.
    package init(limit: Int, runLength: Int = 200_000) {
        self.limit = limit
        self.runLength = runLength
    }

    /// Whether more than half of the limit is used.
    var isCrowded: Bool { count > limit / 2 }

    package var count: Int {
        state.withLock { $0.current.count + ($0.merging?.count ?? 0) + ($0.retired?.count ?? 0) }
    }

    /// Adds the entries of an earlier server's clicks after the cursor.
    func recover(_ entries: [Entry], after cursor: Int64) {
        append(entries)
        state.withLock { $0.mergeBeganAt = IDGenerator.time(of: cursor) }
    }

    /// Adds entries in the order of their clicks' ids. Called after the commit of their clicks.
    func append(_ entries: [Entry]) {
        guard !entries.isEmpty else { return }
        state.withLock { state in
            for entry in entries { state.current.append(entry) }
        }
    }

    /// Returns the newest clicks of an address and, unless nil, a key, newest first, without those that expired before `time`. A merged
    /// click may be among them.
    func clicks(at address: Int64, key: MatchKey?, expiringAfter time: Timestamp, limit: Int) -> [Click.ID] {
        state.withLock { state in
            var found: [Click.ID] = []
            for run in state.runs where found.count < limit {
                found += run.clicks(at: address, key: key, expiringAfter: time, limit: limit - found.count)
            }
            return found
        }
    }

    // MARK: - Merging
    //
    // Only one task merges. Look-ups and further entries may come between its steps.

    /// Seals the current run if it is due and none is being merged. Returns whether there is a run to merge; it may be empty, to move the
    /// cursor past clicks that are not pending.
    func beginMerge(at now: Timestamp) -> Bool {
        let sealed: [Entry]? = state.withLock { state in
            state.retired = nil
            let oldest = state.current.entries.first?.click.time ?? state.mergeBeganAt
            guard state.merging == nil, state.current.count >= runLength || oldest + Self.longestStay <= now else { return nil }
            state.mergeBeganAt = now
            state.cursor = state.current.entries.last?.click.rawValue ?? Self.cursor(withoutEntriesAt: now)
            state.merging = state.current
            state.current = PendingClickRun()
            return state.merging?.entries
        }
        if let sealed {
            let waiting = sealed.filter { $0.expiresAt + PendingClick.explanationPeriod > now }
                .sorted { ($0.key, $0.click) < ($1.key, $1.click) }
            state.withLock { $0.sorted = waiting }
        }
        return state.withLock { $0.sorted != nil }
    }

    /// Returns the next entries of the run that is being merged.
    func entries(from position: Int, limit: Int) -> ArraySlice<Entry> {
        state.withLock { ($0.sorted ?? []).dropFirst(position).prefix(limit) }
    }

    /// The cursor after the merge, and whether nothing was in memory when it began; nil if there is no run to merge.
    var currentMerge: (cursor: Int64, isEmpty: Bool)? {
        state.withLock { $0.sorted == nil ? nil : ($0.cursor, $0.merging?.count == 0) }
    }

    /// A cursor for the case that nothing is to be merged. The ids of clicks that are not in memory yet are greater, also of a slow
    /// commit or with a clock that was set back a little.
    static func cursor(withoutEntriesAt now: Timestamp) -> Int64 {
        IDGenerator.first(at: now - .seconds(3600))
    }

    /// Ends a merge. Called after the commit of its last part.
    func endMerge() {
        state.withLock { state in
            state.retired = state.merging
            state.merging = nil
            state.sorted = nil
        }
    }
}
