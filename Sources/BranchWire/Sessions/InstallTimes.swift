/// The install time of an app, as its SDK reports it with the first session.
///
/// All times are by the device's clock, which may be wrong, so only their difference from the request's own time is used. Google Play's
/// `install_begin_ts` (seconds) precedes `latest_install_time` (milliseconds), the end of the installation, and is therefore preferred.
enum InstallTimes {
    /// Returns the time between the install and the request; nil for SDKs that do not date their requests, and for times in the future or
    /// more than 90 days ago.
    static func installedAgo(_ body: RequestFields) -> Duration? {
        guard let sent = milliseconds(body.number("branch_sdk_request_timestamp")) else { return nil }
        let installed = ago(milliseconds(body.number("latest_install_time")), sent)
        let begun = ago(milliseconds(body.number("install_begin_ts").map { $0 * 1000 }), sent)
        // The store's time is that of the last installation from it, which restoring a backup does not update.
        if let begun, begun - (installed ?? begun) <= longestDownload { return begun }
        return installed
    }

    private static let longest: Duration = .seconds(90 * 86400)
    private static let longestDownload: Duration = .seconds(86400)

    private static func ago(_ time: Int64?, _ sent: Int64) -> Duration? {
        guard let time, time > 0, time <= sent, .milliseconds(sent - time) <= longest else { return nil }
        return .milliseconds(sent - time)
    }

    private static func milliseconds(_ number: Double?) -> Int64? {
        number.flatMap { Int64(exactly: $0.rounded()) }
    }
}
