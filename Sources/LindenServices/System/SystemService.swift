import Linden
import LindenKernel
import LindenReporting

/// What is known about the running server, its disk and its database.
package struct SystemStatus: Sendable {
    /// The server's own backups.
    package enum Backups: Sendable, Equatable {
        case off
        case folder(String, newest: ServerFiles.Backup?)
        case unreadable(String, reason: String)
    }

    /// How many rows no total includes yet. A question reads them in addition.
    package enum Waiting: Sendable, Equatable {
        case none, some
        /// ``CountingSchedule/mostRows`` or more.
        case many
    }

    package let version: String
    package let startedAt: Timestamp
    package let now: Timestamp
    package let database: String?
    package let databaseBytes: Int64?
    package let freeBytes: Int64?
    /// The free space in bytes below which writes are refused; 0 for none.
    package let minimumFreeBytes: Int64
    package let backups: Backups
    /// The time of the last row of each log that the totals include; nil for none.
    package let countedUntil: [ActivityLog: Timestamp]
    package let waiting: Waiting
    package let retention: Retention
    /// The error of the last write; nil if it succeeded.
    package let writeProblem: String?
    package let findings: [Finding]
}

/// A service that describes the running server for its operators.
package struct SystemService: Sendable {
    let storage: any Database
    let clock: WallClock
    private let startedAt: Timestamp
    private let retention: Retention
    private let minimumFreeBytes: Int64
    private let freeBytes: @Sendable () -> Int64?
    private let files: ServerFiles
    private let diagnosis: AppDiagnosisService

    /// - Parameter freeBytes: returns the free space of the database's disk; nil if it is unknown.
    package init(
        storage: any Database, clock: WallClock, retention: Retention, minimumFreeBytes: Int64,
        freeBytes: @escaping @Sendable () -> Int64?, files: ServerFiles, diagnosis: AppDiagnosisService
    ) {
        self.storage = storage
        self.clock = clock
        startedAt = clock.now()
        self.retention = retention
        self.minimumFreeBytes = minimumFreeBytes
        self.freeBytes = freeBytes
        self.files = files
        self.diagnosis = diagnosis
    }

    package func status() async throws -> SystemStatus {
        let (countedUntil, waiting) = try await storage.read { reader in
            var times: [ActivityLog: Timestamp] = [:]
            for log in ActivityLog.allCases {
                let last = try reader.rolledUpThrough(log)
                if last > 0 { times[log] = IDGenerator.time(of: last) }
            }
            guard try reader.hasUncountedRows(atLeast: 1) else { return (times, SystemStatus.Waiting.none) }
            return (times, try reader.hasUncountedRows(atLeast: CountingSchedule.mostRows) ? .many : .some)
        }
        return SystemStatus(
            version: LindenVersion.description, startedAt: startedAt, now: clock.now(), database: files.database,
            databaseBytes: files.databaseBytes(), freeBytes: freeBytes(), minimumFreeBytes: minimumFreeBytes, backups: backups,
            countedUntil: countedUntil, waiting: waiting, retention: retention, writeProblem: storage.writeProblem,
            findings: try await diagnosis.serverFindings() + files.findings())
    }

    private var backups: SystemStatus.Backups {
        guard let folder = files.backupFolder else { return .off }
        do {
            return .folder(folder, newest: try files.newestBackup())
        } catch {
            return .unreadable(folder, reason: (error as? Failure)?.message ?? "\(error)")
        }
    }
}
