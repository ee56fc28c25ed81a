import LindenKernel
import OutgoingHTTP

/// The settings of a server's own backups.
struct BackupSettings: Sendable {
    /// Nil for no backups.
    var folder: String?
    /// The time between two backups; nil for none.
    var every: Duration? = .seconds(86_400)
    var keep = BackupFolder.standardKeep
    /// Where each backup is copied to; nil for nowhere.
    var bucket: S3Bucket?

    /// Fails if a server that is to upload its backups would make none. `linden backup --upload` needs the bucket only.
    func checkThatServerUploads() throws {
        guard bucket != nil else { return }
        guard folder != nil else {
            throw Failure.unusable(
                "The setting backup.s3.bucket is set but backup.folder is not, so the server would make no backups to upload. Set "
                    + "backup.folder to a folder for them, such as /var/lib/linden/backups, or remove backup.s3.")
        }
        guard every != nil else {
            throw Failure.setting(
                "backup.every", "off",
                "backup.s3.bucket is set, and the server would make no backups to upload. Set backup.every to a time such as 1d, or remove "
                    + "backup.s3")
        }
    }

    /// Parses the time between two backups, such as `12h` or `1d`, or `off` for nil.
    static func interval(_ text: String) throws -> Duration? {
        if text == "off" { return nil }
        guard let match = text.wholeMatch(of: /([0-9]{1,4})([dh])/), let count = Int(match.1), count > 0 else {
            throw Failure.unusable("must be a number of hours or days such as 12h or 1d, or off")
        }
        return .seconds(count * (match.2 == "d" ? 86_400 : 3600))
    }
}
