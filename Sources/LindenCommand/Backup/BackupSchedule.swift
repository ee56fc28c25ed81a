import Foundation
import Linden
import LindenKernel
import Logging
import SQLiteStorage
import Synchronization

/// The regular backups of a server (settings of `backup`). The files' names say when the next one is due, so a restart changes nothing.
actor BackupSchedule {
    private static let checkInterval: Duration = .seconds(5)
    private static let retryInterval: Duration = .seconds(600)

    private let folder: BackupFolder
    private let interval: Duration
    private let keep: Int
    private let spare: Int64
    private let upload: BackupUpload?
    private let logger: Logger
    /// Nil without a bucket.
    let uploads: UploadRecord?
    private var nextAttempt = ContinuousClock.now

    init?(_ settings: BackupSettings, database: String, spare: Int64, logger: Logger) {
        guard let path = settings.folder, let interval = settings.every else { return nil }
        folder = BackupFolder(path: path, database: database)
        self.interval = interval
        keep = settings.keep
        self.spare = spare
        upload = settings.bucket.map { BackupUpload(bucket: $0) }
        uploads = settings.bucket.map { _ in UploadRecord() }
        self.logger = logger
    }

    /// Writes a backup if the newest one is older than the interval, and uploads the newest one if it is not in the bucket. After a failure,
    /// which is logged, the next attempt is ten minutes later.
    func runIfDue() async throws {
        guard ContinuousClock.now >= nextAttempt else { return }
        nextAttempt = .now + Self.checkInterval
        if isDue { try await makeBackup() }
        try await uploadNewest()
    }

    private func makeBackup() async throws {
        nextAttempt = .now + Self.retryInterval
        do {
            let begun = ContinuousClock.now
            let backup = try await write()
            let removed = try folder.removeOldest(keeping: keep, with: backup)
            nextAttempt = .now + Self.checkInterval
            let seconds = (ContinuousClock.now - begun).components.seconds
            logger.info(
                "A backup was written.",
                metadata: [
                    "path": "\(backup.path)", "bytes": "\(backup.bytes)", "seconds": "\(seconds)", "removed": "\(removed.count)",
                ])
        } catch let failure as Failure {
            logger.error("The backup failed; it will be tried again in ten minutes.", metadata: ["reason": "\(failure.message)"])
        }
    }

    /// Whether no backup is as young as the interval.
    private var isDue: Bool {
        // A folder that cannot be read, or does not exist yet, has none.
        guard let newest = try? folder.newest() else { return true }
        return newest.time + interval <= WallClock.system.now()
    }

    private func uploadNewest() async throws {
        guard let upload, let newest = try? folder.newest() else { return }
        guard newest.time != uploads?.totals.newest else { return }
        do {
            try await upload.upload(newest)
            uploads?.add(upload: newest.time)
            logger.info("The backup is in the bucket.", metadata: ["path": "\(newest.path)"])
        } catch let failure as Failure {
            nextAttempt = .now + Self.retryInterval
            uploads?.addFailure()
            logger.error(
                "The backup could not be uploaded; it will be tried again in ten minutes.",
                metadata: ["reason": "\(failure.message)"])
        }
    }

    /// Writes a backup that `linden restore` would accept: copies of a damaged database must not take the place of good ones. A shutdown ends
    /// it.
    private func write() async throws -> BackupFolder.Backup {
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            try await BackgroundThread.run { [folder, spare] in try folder.write(spare: spare, isStopped: { stop.isSet }) }
        } onCancel: {
            stop.set()
        }
    }
}

private final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
