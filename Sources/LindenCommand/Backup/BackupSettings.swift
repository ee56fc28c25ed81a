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

    /// Parses the time between two backups, such as `12h` or `1d`, or `off` for nil.
    static func interval(_ text: String) throws -> Duration? {
        if text == "off" { return nil }
        guard let match = text.wholeMatch(of: /([0-9]{1,4})([dh])/), let count = Int(match.1), count > 0 else {
            throw Failure.unusable("must be a number of hours or days such as 12h or 1d, or off")
        }
        return .seconds(count * (match.2 == "d" ? 86_400 : 3600))
    }
}
