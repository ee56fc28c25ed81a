import LinkRouting

/// The last touch: the click that last led a device or its identity into the app, and that its events are credited to.
package struct AttributedTouch: Sendable {
    package let click: Click

    package init(click: Click) {
        self.click = click
    }
}

extension Reader {
    /// Returns the last touch, or nil if there was no click, its link is gone, or the conversion window is over. The window is the link's
    /// own, else the app's (`$click_conversion_window_days`), or `limit` if that is shorter.
    func attributedTouch(
        device: Device.ID?, identity: Identity.ID?, in scope: Scope, within limit: Duration? = nil
    ) throws -> AttributedTouch? {
        guard let id = try lastTouch(device: device, identity: identity), let click = try click(id),
            let app = try app(scope.app)?.side(scope.mode),
            let windows = try windows(of: click, app: app.configuration)
        else { return nil }
        let window = min(.seconds(windows.conversion), limit ?? .seconds(windows.conversion))
        return now < id.time + window ? AttributedTouch(click: click) : nil
    }

    /// Returns the attribution windows of a click: the link's own, overridden by the query that was appended to it. Nil if the link is gone.
    /// Every event needs them, so the data of a stored link is not read.
    func windows(of click: Click, app: AppConfiguration) throws -> AttributionWindows? {
        guard click.link != .long else {
            return try link(of: click).map { AttributionWindows($0.controlParameters, app: app) }
        }
        guard let status = try linkStatus(click.link), !status.isDeleted else { return nil }
        return AttributionWindows(status.windows, appended: click.query, app: app)
    }
}
