import LinkRouting

/// The last touch: the click that last led a device or its identity into the app, and that its events are credited to.
package struct AttributedTouch: Sendable {
    package let click: Click
    package let link: Link

    package init(click: Click, link: Link) {
        self.click = click
        self.link = link
    }
}

extension Reader {
    /// Returns the last touch, or nil if there was no click, its link is gone, or the conversion window is over. The window is the link's
    /// own, else the app's (`$click_conversion_window_days`), or `limit` if that is shorter.
    func attributedTouch(
        device: Device.ID?, identity: Identity.ID?, in scope: Scope, within limit: Duration? = nil
    ) throws -> AttributedTouch? {
        guard let id = try lastTouch(device: device, identity: identity), let click = try click(id),
            let link = try link(of: click), let app = try appContext(scope: scope, withRoutes: false)
        else { return nil }
        let windows = AttributionWindows(link.controlParameters(appended: click.query), app: app.app.configuration)
        let window = min(.seconds(windows.conversion), limit ?? .seconds(windows.conversion))
        return now < id.time + window ? AttributedTouch(click: click, link: link) : nil
    }
}
