/// A visitor of a link, derived from the request alone, before any lookup.
public struct Visitor: Sendable, Hashable {
    public var platform: Platform
    /// The operating system in the SDKs' spelling, `iOS` or `Android`; nil for other systems, which are not matched by fingerprint.
    public var os: String?
    /// The dotted version without trailing zeros, `17.5.1` or `14`; nil if the user agent does not state it, or is known to state a false
    /// one.
    public var osVersion: String?
    /// The kind of device; nil if the user agent does not state it.
    public var device: DeviceFamily?
    /// The maker of the device; nil if neither its model nor its browser reveals it.
    public var maker: DeviceMaker?
    /// The model as the SDKs name it, `Pixel 8`, `SM-S918B` or `iPhone15,2`. Few browsers report it; for iPhones only some apps do.
    public var model: String?
    /// The browser with its version; nil in an in-app browser.
    public var browser: WebBrowser?
    /// The app that shows the page in its in-app browser; nil in a standalone browser.
    public var inAppBrowser: InAppBrowser?
    /// The visitor's country, an ISO 3166 code of two letters; nil if unknown. Set by the caller from the address, as no user agent
    /// contains it.
    public var country: String?
    /// Whether the visitor has the app; nil if unknown. Set by the caller from data about the browser, as no user agent contains it.
    public var hasApp: Bool?
    /// The reason why the visitor is a robot; nil for a person.
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
