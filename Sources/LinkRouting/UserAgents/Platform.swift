/// What a visitor holds or sits at, as far as redirects care.
public enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS = "ios"
    case android
    case desktop
}

/// Who comes to a link: read from the request, before anything is looked up.
public struct Visitor: Sendable, Hashable {
    public var platform: Platform
    /// The operating system in the words of the SDKs, `iOS` or `Android`; nil where a fingerprint would say nothing.
    public var os: String?
    /// Dotted version without trailing zeros, `17.5.1` or `14`; nil if the user agent does not say.
    public var osVersion: String?
    /// Why this is not a person; nil for a person.
    public var robot: RobotReason?

    public init(platform: Platform, os: String? = nil, osVersion: String? = nil, robot: RobotReason? = nil) {
        self.platform = platform
        self.os = os
        self.osVersion = osVersion
        self.robot = robot
    }
}

/// Why a request is taken for a machine's.
public enum RobotReason: String, Sendable, Hashable, CaseIterable {
    /// A search engine or another crawler.
    case crawler
    /// A messenger or network that draws a preview of the link.
    case preview
    /// A monitor, library or command-line client.
    case tool
    /// A browser loading ahead of its user.
    case prefetch
    /// No user agent at all.
    case unnamed
    /// The app that the link is shared through, as its maker asked.
    case ignored
}
