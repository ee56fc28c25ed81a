import LindenKernel

/// A web browser, identified by several ids, so that sites cannot correlate it: one in a cookie on link hosts, which no page can read, and
/// one for each site with the Web SDK. On such a site the browser is the device of the session: hence one type of id for both.
package enum Browser {
    package typealias ID = Device.ID
}

/// The report of a device's browser when the app opened a page in it (`/_strong_match`).
package struct StrongMatch: Sendable, Equatable {
    package let browser: Browser.ID
    /// The last click in that browser; nil if there was none within its window.
    package let click: Click.ID?

    package init(browser: Browser.ID, click: Click.ID?) {
        self.browser = browser
        self.click = click
    }
}

package protocol BrowserReader {
    /// Returns whether a browser's user is known to have the app of a scope: app and browser were seen side by side, or the browser is the
    /// first device of an identity that has the app. On another browser anyone may have named the user.
    func hasApp(_ browser: Browser.ID, in scope: Scope) throws -> Bool
    /// Returns the device whose app was seen beside a browser, and whether by a guess alone: then the browser may be another person's.
    func app(beside browser: Browser.ID, in scope: Scope) throws -> (device: Device.ID, isGuessed: Bool)?
    /// Returns the report of the browser beside an app, by any of the device's ids and any stored form of the address that the app comes
    /// from. The address is required because other clients may know the ids of a device.
    func strongMatch(_ deviceKeys: [String], from addresses: [String], in scope: Scope, at time: Timestamp) throws -> StrongMatch?
    func hasExpiredStrongMatches(at time: Timestamp) throws -> Bool
}

package protocol BrowserRepository: BrowserReader {
    /// Records that a browser and an app are on the same device. A guess changes nothing of what is certain.
    func join(_ browser: Browser.ID, to device: Device.ID, isGuessed: Bool, in scope: Scope) throws
    func insert(_ match: StrongMatch, for deviceKey: String, from address: String, in scope: Scope, expiresAt: Timestamp) throws
    func deleteStrongMatches(_ deviceKeys: [String], from addresses: [String], in scope: Scope) throws
    func deleteExpiredStrongMatches(at time: Timestamp, limit: Int) throws
}
