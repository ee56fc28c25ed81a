import LinkRouting

/// The click that led a device or its user into the app last, and that what happens there is credited to.
package struct AttributedTouch: Sendable {
    package let click: Click
    package let link: Link

    package init(click: Click, link: Link) {
        self.click = click
        self.link = link
    }
}

extension Reader {
    /// Nil if there was no click, its link is gone, or the window is over: the link's own or the app's
    /// (`$click_conversion_window_days`), or the one that is asked for where that is shorter.
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
