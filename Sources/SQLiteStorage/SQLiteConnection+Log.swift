import CSQLite

/// The write-ahead log.
extension SQLiteConnection {
    /// Disables automatic checkpoints: from now on only ``checkpoint()`` and ``emptyLog()`` checkpoint, never during a commit.
    func takeOverCheckpoints(_ gate: CheckpointGate?) {
        self.gate = gate
        // Replaces SQLite's own hook, which would checkpoint inside a commit.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                Unmanaged<SQLiteConnection>.fromOpaque(context!).takeUnretainedValue().walPages = pages
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Moves the whole write-ahead log into the database and truncates it. False if a reader was using it. Waits for readers 50 ms at
    /// most, because all writers wait meanwhile.
    func emptyLog() throws -> Bool {
        sqlite3_busy_timeout(handle, 50)
        defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
        let moveLog = { [handle] in sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
        let code = gate?.withExclusiveLock(moveLog) ?? moveLog()
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw SQLiteError(handle, code: code) }
        if code == SQLITE_OK { walPages = 0 }
        return code == SQLITE_OK
    }

    /// Moves as much of the write-ahead log into the database as possible without waiting for readers. Returns the number of pages that could not
    /// be moved: if there are any, the next commits make the log longer.
    func checkpoint() throws -> Int32 {
        var (pages, moved): (Int32, Int32) = (0, 0)
        let moveLog = { [handle] in sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved) }
        let code = gate?.withExclusiveLock(moveLog) ?? moveLog()
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw SQLiteError(handle, code: code) }
        guard code == SQLITE_OK else { return walPages }
        if moved == pages { walPages = 0 }
        return pages - moved
    }
}
