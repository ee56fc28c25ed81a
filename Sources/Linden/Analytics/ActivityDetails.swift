/// What a row tells beyond the dimensions that are counted. It is read only for questions that ask for it.
package struct ActivityDetails: Sendable, Equatable {
    /// As the SDK or the browser's user agent says; nil if unknown.
    package let os: String?
    /// Whether it happened in a browser rather than in the app.
    package let isBrowser: Bool
    /// Whether the credited click was made through what a desktop page sent to a phone.
    package let isFromDesktop: Bool
    /// The platform of the credited click if it was answered with a deepview, else nil.
    package let deepview: String?
    /// What was appended to the credited link when it was clicked; of a long link everything.
    package let query: String?
    /// What was reported, as JSON, where the rest does not tell: of an event on an unknown device, and of a session that an ad brought.
    package let report: String?

    package init(
        os: String?, isBrowser: Bool, isFromDesktop: Bool, deepview: String?, query: String?, report: String?
    ) {
        self.os = os
        self.isBrowser = isBrowser
        self.isFromDesktop = isFromDesktop
        self.deepview = deepview
        self.query = query
        self.report = report
    }
}

extension Activity {
    /// See ``Dimension/os``.
    var os: String? { DeviceWords.os(details?.os ?? reportedOS) }

    /// See ``Dimension/userPlatform``.
    var userPlatform: String? { DeviceWords.platform(os: os, isBrowser: topic.isOfPages || details?.isBrowser ?? false) }

    private var reportedOS: String? {
        guard topic.log == .events, let report = details?.report, let body = try? JSON.parse(report).object else { return nil }
        return body["user_data"]?.object?["os"]?.scalarText
    }
}

extension Topic {
    /// Whether only pages in browsers report it, also where they name no browser.
    fileprivate var isOfPages: Bool { [.webSession, .pageview, .dismissal, .textMessage].contains(self) }
}
