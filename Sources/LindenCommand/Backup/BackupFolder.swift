import Foundation
import Linden
import LindenKernel
import SQLiteStorage

/// The backups of a database: files of one folder, named by the UTC time at which they began, such as `linden-20270131T120000Z.db`.
struct BackupFolder: Sendable {
    struct Backup: Sendable, Equatable {
        let path: String
        let time: Timestamp
        let bytes: Int64
    }

    static let allowedKeep = 1...10_000
    static let standardKeep = 7

    let path: String
    /// The path of the database.
    let database: String

    /// The beginning of the files' names, from that of the database.
    private var stem: String { ((database as NSString).lastPathComponent as NSString).deletingPathExtension }

    /// Writes a backup. It has its name only once it is complete, could be restored, and is on the disk.
    ///
    /// - Parameters:
    ///   - spare: the bytes that must stay free on the folder's disk.
    ///   - isStopped: asked all the time; true ends the backup with `CancellationError`.
    ///   - progress: called with the copied and all bytes.
    func write(
        spare: Int64, isStopped: @escaping @Sendable () -> Bool = { false },
        progress: (_ copied: Int64, _ all: Int64) -> Void = { _, _ in }
    ) throws -> Backup {
        if !OwnedFile.createFolder(path), errno != EEXIST {
            throw Failure.unusable("The folder \(path) cannot be created: its parent must exist and be writable.")
        }
        // Not named by its time, so that the next backup reuses what a killed one left.
        let file = try PartialFile(for: path + "/" + stem)
        do {
            let time = freeTime()
            var pace = WritePace()
            try DatabaseCopy.write(from: database, to: file.path, spare: spare) { copied, all in
                if isStopped() { throw CancellationError() }
                progress(copied, all)
                try pace.keep(at: copied, flush: file.flush)
            }
            try Self.check(file.path, isStopped)
            let name = name(of: time)
            try file.complete(as: name)
            return Backup(path: name, time: time, bytes: Self.size(of: name))
        } catch {
            file.remove()
            throw error
        }
    }

    /// Fails unless a copy could be restored, so that a damaged database does not push out the good backups.
    private static func check(_ copy: String, _ isStopped: @escaping @Sendable () -> Bool) throws {
        do {
            _ = try DatabaseInspection.check(copy, isStopped: isStopped)
        } catch let failure as Failure {
            if isStopped() { throw CancellationError() }
            throw Failure(failure.code, "The copy could not be restored. \(failure.message) The earlier backups are kept.")
        }
    }

    /// Returns the complete backups, oldest first.
    func backups() throws -> [Backup] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard let names else { throw Failure.unusable("The folder \(path) cannot be read.") }
        return names.compactMap { name in
            time(of: name).map { Backup(path: path + "/" + name, time: $0, bytes: Self.size(of: path + "/" + name)) }
        }.sorted { $0.time < $1.time }
    }

    /// Returns the newest complete backup; nil if there is none. One of the future, written before the clock was corrected, does not count.
    func newest() throws -> Backup? {
        let now = WallClock.system.now()
        return try backups().last { $0.time <= now }
    }

    /// Deletes the oldest backups beyond a number, and returns them. Those of the future, written before the clock was corrected, are deleted
    /// first: otherwise they would outlive all that come after them.
    ///
    /// - Parameter made: the backup that was just made, which is one of the number.
    func removeOldest(keeping count: Int, with made: Backup) throws -> [Backup] {
        let latest = WallClock.system.now() + .seconds(60)
        let others = try backups().filter { $0.path != made.path }
        let removed = (others.filter { $0.time > latest } + others.filter { $0.time <= latest }).dropLast(count - 1)
        for backup in removed {
            guard unlink(backup.path) == 0 || errno == ENOENT else {
                throw Failure.unusable("The old backup \(backup.path) cannot be deleted.")
            }
        }
        return Array(removed)
    }

    /// The current second, or the next one whose name is free.
    private func freeTime() -> Timestamp {
        var time = Timestamp(milliseconds: WallClock.system.now().seconds * 1000)
        while access(name(of: time), F_OK) == 0 { time = time + .seconds(1) }
        return time
    }

    /// The path of a backup, with the time in ISO 8601's basic format: no colon, which tools such as scp read as a host's end.
    private func name(of time: Timestamp) -> String {
        let text = time.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(path)/\(stem)-\(text)Z.db"
    }

    private func time(of name: String) -> Timestamp? {
        guard name.hasPrefix(stem + "-") else { return nil }
        guard let match = name.dropFirst(stem.count + 1).wholeMatch(of: Self.pattern) else { return nil }
        let (_, year, month, day, hour, minute, second) = match.output
        return Timestamp(iso8601: "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)Z")
    }

    private nonisolated(unsafe) static let pattern = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db/

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
