import Linden
import LindenKernel

/// The files of a server, as far as its program knows them. Each closure looks at the disk.
package struct ServerFiles: Sendable {
    package struct Backup: Sendable, Equatable {
        /// When the backup began.
        package let time: Timestamp
        package let bytes: Int64

        package init(time: Timestamp, bytes: Int64) {
            self.time = time
            self.bytes = bytes
        }
    }

    /// The path of the database; nil for one in memory.
    package var database: String?
    /// The size in bytes of the database with its write-ahead log; nil if unknown.
    package var databaseBytes: @Sendable () -> Int64?
    /// The folder of the server's own backups; nil for none.
    package var backupFolder: String?
    /// The newest complete backup; nil if there is none. Fails if the folder cannot be read.
    package var newestBackup: @Sendable () throws -> Backup?
    /// Findings about the files' permissions.
    package var findings: @Sendable () -> [Finding]

    package init(
        database: String? = nil, databaseBytes: @escaping @Sendable () -> Int64? = { nil }, backupFolder: String? = nil,
        newestBackup: @escaping @Sendable () throws -> Backup? = { nil }, findings: @escaping @Sendable () -> [Finding] = { [] }
    ) {
        self.database = database
        self.databaseBytes = databaseBytes
        self.backupFolder = backupFolder
        self.newestBackup = newestBackup
        self.findings = findings
    }
}
