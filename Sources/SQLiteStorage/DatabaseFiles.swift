import Foundation
import Linden

/// The files of a database and their permissions. They hold personal data, so only their owner should have access.
package struct DatabaseFiles: Sendable {
    /// The suffixes of the files: SQLite's write-ahead log, its index and its journal, and Linden's locks.
    private static let suffixes = ["", "-wal", "-shm", "-journal", "-gate", "-server"]

    private let path: String

    /// - Parameter path: the database's file; nil is returned for one in memory.
    package init?(path: String) {
        guard path != DatabasePath.memory else { return nil }
        self.path = DatabasePath.resolved(path)
    }

    private struct File {
        let path: String
        /// The permission bits, such as 0o640.
        let mode: mode_t
        let bytes: Int64
        let isFolder: Bool

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.path = path
            mode = status.st_mode & 0o7777
            bytes = Int64(status.st_size)
            isFolder = status.st_mode & S_IFMT == S_IFDIR
        }

        var shownMode: String { "0" + String(mode, radix: 8) }
    }

    private var files: [File] { Self.suffixes.compactMap { File(path + $0) } }

    /// The size of the database with its write-ahead log in bytes; nil if there is no such file.
    package var bytes: Int64? {
        guard let database = File(path) else { return nil }
        return database.bytes + (File(path + "-wal")?.bytes ?? 0)
    }

    /// The size of the write-ahead log in bytes; nil if there is none.
    package var logBytes: Int64? { File(path + "-wal")?.bytes }

    /// Removes access by other users from files that an older version, or a copy, left accessible to every user of the machine. The group
    /// keeps its access, which backups may use.
    ///
    /// - Returns: the files that were accessible to other users.
    @discardableResult
    func closeToOthers() -> [String] {
        files.filter { $0.mode & 0o007 != 0 && chmod($0.path, $0.mode & ~0o007) == 0 }.map(\.path)
    }

    /// Returns warnings for files that others than their owner can read or write, and for a folder in which others can replace them.
    package func findings() -> [Finding] {
        var findings: [Finding] = []
        let open = files.filter { $0.mode & 0o077 != 0 }
        if !open.isEmpty {
            let others = open.contains { $0.mode & 0o007 != 0 } ? "Every user of this machine" : "Their group"
            findings.append(
                Finding(
                    "database.files", .warning,
                    "\(others) has access to files that hold the data of people: "
                        + open.map { "\($0.path) (\($0.shownMode))" }.joined(separator: ", ")
                        + ". Unless that is meant, run chmod 600 on them."))
        }
        let folder = File((path as NSString).deletingLastPathComponent)
        // In a sticky folder only a file's owner can replace it.
        if let folder, folder.mode & 0o022 != 0, folder.mode & 0o1000 == 0 {
            findings.append(
                Finding(
                    "database.folder", .warning,
                    "\(folder.path) has the permissions \(folder.shownMode), so \(folder.mode & 0o002 != 0 ? "every user of this machine" : "its group") "
                        + "can replace the database in it. Unless that is meant, run chmod go-w on it."))
        }
        return findings
    }
}
