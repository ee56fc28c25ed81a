import LindenKernel

/// Further properties of an analytics record, which no rollups need. Read only for queries that ask for them.
package struct ActivityDetails: Sendable, Equatable {
    /// Whether it happened in a browser rather than in the app.
    package let isBrowser: Bool
    /// Whether the credited click came through a link that a desktop page sent to a phone.
    package let isFromDesktop: Bool
    /// The platform of the credited click if it was answered with a deepview, otherwise nil.
    package let deepview: String?
    /// The query appended to the credited link when it was clicked; for a long link its whole query.
    package let query: String?
    /// The host of the page with the credited link, for sessions and events.
    package let referrer: String?
    /// The report as JSON, where the other properties do not suffice: of an event whose device has no known system, and of a session
    /// without a link, which an ad may have brought.
    package let report: String?

    package init(
        isBrowser: Bool, isFromDesktop: Bool, deepview: String?, query: String?, referrer: String?, report: String?
    ) {
        self.isBrowser = isBrowser
        self.isFromDesktop = isFromDesktop
        self.deepview = deepview
        self.query = query
        self.referrer = referrer
        self.report = report
    }
}

extension AnalyticsRecord {
    /// See ``Dimension/os``.
    var os: String? { DeviceWords.os(visitor.os ?? reportedOS) }

    /// See ``Dimension/userPlatform``.
    var userPlatform: String? { DeviceWords.platform(os: os, isBrowser: topic.isOfPages || details?.isBrowser ?? false) }

    private var reportedOS: String? {
        guard topic.log == .events, let report = details?.report, let body = try? JSON.parse(report).object else { return nil }
        return body["user_data"]?.object?["os"]?.scalarText
    }
}

extension Topic {
    /// Whether only browsers report this topic, even if the report names no browser.
    fileprivate var isOfPages: Bool { [.webSession, .pageview, .dismissal, .textMessage].contains(self) }
}
