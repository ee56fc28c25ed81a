/// Who comes to a link: read from the request, before anything is looked up.
public struct Visitor: Sendable, Hashable {
    public var platform: Platform
    /// The operating system in the words of the SDKs, `iOS` or `Android`; nil where a fingerprint would say nothing.
    public var os: String?
    /// Dotted version without trailing zeros, `17.5.1` or `14`; nil if the user agent does not say, or is known to say it falsely.
    public var osVersion: String?
    /// What kind of device it is; nil if the user agent does not say.
    public var device: DeviceFamily?
    /// Who made the device; nil if neither its model nor its browser tells.
    public var maker: DeviceMaker?
    /// The device as the SDKs name it, `Pixel 8`, `SM-S918B` or `iPhone15,2`. Few browsers tell, of an iPhone only some apps.
    public var model: String?
    /// The browser with its version; nil inside an app, where the app is what matters.
    public var browser: WebBrowser?
    /// The app that shows the page in a browser of its own; nil in a real browser.
    public var inAppBrowser: InAppBrowser?
    /// Where the visitor is, an ISO 3166 code of two letters; nil if nobody knows. No user agent says it: whoever knows the address sets it.
    public var country: String?
    /// Whether the visitor has the app; nil if nobody knows. No user agent says it: whoever knows the browser sets it.
    public var hasApp: Bool?
    /// Why this is not a person; nil for a person.
    public var robot: RobotReason?

    public init(
        platform: Platform, os: String? = nil, osVersion: String? = nil, device: DeviceFamily? = nil, maker: DeviceMaker? = nil,
        model: String? = nil, browser: WebBrowser? = nil, inAppBrowser: InAppBrowser? = nil, country: String? = nil,
        hasApp: Bool? = nil, robot: RobotReason? = nil
    ) {
        self.platform = platform
        self.os = os
        self.osVersion = osVersion
        self.device = device
        self.maker = maker
        self.model = model
        self.browser = browser
        self.inAppBrowser = inAppBrowser
        self.country = country
        self.hasApp = hasApp
        self.robot = robot
    }
}
