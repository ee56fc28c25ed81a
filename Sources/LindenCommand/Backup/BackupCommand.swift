import ArgumentParser
import LindenKernel

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a consistent copy of the database, while a server runs.",
        discussion: """
            The copy is a file of the folder, named by the time: linden-20270131T120000Z.db. It appears under that name once it is complete, \
            was checked as linden restore does, and is on the disk, readable by its owner only. The folder is created if it does not exist. The settings backup.folder, \
            backup.every and backup.keep let a server make backups by itself; `linden restore` reads them. A database on PostgreSQL is backed up by its own \
            tools, such as pg_basebackup.
            """)

    @Argument(help: ArgumentHelp("The folder for the backup.", valueName: "folder"))
    var folder: String
    @Option(help: ArgumentHelp("Afterwards, delete the oldest backups of the folder beyond this number.", valueName: "number"))
    var keep: Int?
    @Flag(help: "Then upload the backup to the bucket of the settings backup.s3.")
    var upload = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let keep, !BackupFolder.allowedKeep.contains(keep) {
            throw ValidationError("--keep must be a whole number from 1 to \(BackupFolder.allowedKeep.upperBound).")
        }
    }

    func run() async throws {
        let settings = try await common.settings()
        let upload = try upload ? Self.upload(settings) : nil
        let backups = BackupFolder(path: folder, database: try settings.database.path(for: "linden backup"))
        let progress = Progress()
        let backup = try backups.write(
            spare: 0,
            progress: { copied, all in
                progress.show("\(copied >> 20) of \(all >> 20) MiB copied")
            })
        progress.clear()
        // Before the upload, so that the folder does not grow while the bucket cannot be reached.
        let removed = try keep.map { try backups.removeOldest(keeping: $0, with: backup) } ?? []
        Output(format: common.format).show([
            "backup": .string(backup.path), "bytes": .integer(backup.bytes), "at": .string(backup.time.iso8601),
            "removed": .array(removed.map { .string($0.path) }),
        ])
        try await upload?.upload(backup) { sent in progress.show("\(sent >> 20) of \(backup.bytes >> 20) MiB uploaded") }
        progress.clear()
    }

    private static func upload(_ settings: Settings) throws -> BackupUpload {
        guard let bucket = settings.backup.bucket else {
            throw Failure.unusable("--upload needs the settings backup.s3.bucket, .endpoint, .access_key and .secret_key.")
        }
        return BackupUpload(bucket: bucket)
    }
}
