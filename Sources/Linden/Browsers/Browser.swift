/// A browser has a number of its own, or rather several, so that no page learns by what another knows it: one in a cookie on the hosts
/// of links, which no page is told, and one for each site with the Web SDK. There the browser is the device that a session is on: hence
/// one kind of id for both.
package enum Browser {
    package typealias ID = Device.ID
}

/// What a phone's browser told when the app opened a page in it (`/_strong_match`).
package struct StrongMatch: Sendable, Equatable {
    package let browser: Browser.ID
    /// What was clicked there last; nil if nothing was, or too long ago.
    package let click: Click.ID?

    package init(browser: Browser.ID, click: Click.ID?) {
        self.browser = browser
        self.click = click
    }
}

package protocol BrowserReader {
    /// Whether a browser's user is known to have the app of a scope: the app and the browser were seen side by side, or have one user.
    func hasApp(_ browser: Browser.ID, in scope: Scope) throws -> Bool
    /// The device whose app was seen beside a browser.
    func app(beside browser: Browser.ID, in scope: Scope) throws -> Device.ID?
    /// What was told of the browser beside an app, by any of the device's ids, from the address that the app comes from, in any of its
    /// forms: others know the ids of a device, but nobody is where it is.
    func strongMatch(_ deviceKeys: [String], from addresses: [String], in scope: Scope, at time: Timestamp) throws -> StrongMatch?
    func hasExpiredStrongMatches(at time: Timestamp) throws -> Bool
}

package protocol BrowserRepository: BrowserReader {
    /// Notes that a browser and an app are on one device.
    func join(_ browser: Browser.ID, to device: Device.ID, in scope: Scope) throws
    func insert(_ match: StrongMatch, for deviceKey: String, from address: String, in scope: Scope, expiresAt: Timestamp) throws
    func deleteStrongMatches(_ deviceKeys: [String], from addresses: [String], in scope: Scope) throws
    func deleteExpiredStrongMatches(at time: Timestamp, limit: Int) throws
}
