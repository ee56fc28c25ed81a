import LindenKernel

/// The limits of work that an app may order: exports and their downloads, and requests of data subjects.
package struct OrderLimits: Sendable {
    /// The maximum number of exports of an app that are queued or running.
    package var queuedExports: Int
    /// The maximum number of exports that an app may order per day (UTC).
    package var exportsPerDay: Int
    /// The maximum number of exports of an app that are downloaded at a time.
    package var downloads: Int
    /// The maximum number of erasures of an app that are queued or running.
    package var queuedErasures: Int
    /// The maximum number of data subject requests that an app may make per day (UTC).
    package var subjectRequestsPerDay: Int

    package init(
        queuedExports: Int = 50, exportsPerDay: Int = 1000, downloads: Int = 4, queuedErasures: Int = 1000,
        subjectRequestsPerDay: Int = 10_000
    ) {
        self.downloads = downloads
        self.queuedExports = queuedExports
        self.exportsPerDay = exportsPerDay
        self.queuedErasures = queuedErasures
        self.subjectRequestsPerDay = subjectRequestsPerDay
    }

    func checkExports(queued: Int, today: Int, at now: Timestamp) throws(Failure) {
        try Self.checkQueue(queued, queuedExports, "exports", setting: "limits.queued_exports")
        try Self.checkDay(today, exportsPerDay, "exports", setting: "limits.exports_per_day", now)
    }

    package func checkSubjectRequests(queued: Int, today: Int, at now: Timestamp) throws(Failure) {
        try Self.checkQueue(queued, queuedErasures, "erasures", setting: "limits.queued_erasures")
        try Self.checkDay(
            today, subjectRequestsPerDay, "requests of data subjects", setting: "limits.subject_requests_per_day", now)
    }

    private static func checkQueue(_ count: Int, _ limit: Int, _ what: String, setting: String) throws(Failure) {
        guard count >= limit else { return }
        throw Failure(
            .rateLimited,
            "\(count) \(what) of this app wait to be done; at most \(limit) may (\(setting)). Please try again in 60 s.",
            retryAfter: 60)
    }

    private static func checkDay(
        _ count: Int, _ limit: Int, _ what: String, setting: String, _ now: Timestamp
    ) throws(Failure) {
        guard count >= limit else { return }
        let seconds = Int((now.startOfNextDay.milliseconds - now.milliseconds + 999) / 1000)
        throw Failure(
            .rateLimited,
            "An app may order \(limit) \(what) a day (\(setting)). Please try again tomorrow (UTC), in \(seconds) s.",
            retryAfter: seconds)
    }
}

extension Timestamp {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The latest midnight at or before this time, in UTC.
    package var startOfDay: Timestamp { Timestamp(milliseconds: milliseconds / Self.dayMilliseconds * Self.dayMilliseconds) }

    fileprivate var startOfNextDay: Timestamp { Timestamp(milliseconds: startOfDay.milliseconds + Self.dayMilliseconds) }
}
