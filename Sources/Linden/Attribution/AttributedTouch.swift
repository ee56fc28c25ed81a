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
            let parameters = try conversionParameters(of: click), let app = try appContext(scope: scope, withRoutes: false)
        else { return nil }
        let windows = AttributionWindows(parameters, app: app.app.configuration)
        let window = min(.seconds(windows.conversion), limit ?? .seconds(windows.conversion))
        return now < id.time + window ? AttributedTouch(click: click) : nil
    }

    /// Returns the control parameters that determine the conversion window of a click: the link's own window, overridden by the query that
    /// was appended to it. Nil if the link is gone. Every event needs them, so the link's data is not read.
    private func conversionParameters(of click: Click) throws -> ControlParameters? {
        guard click.link != .long else { return try link(of: click)?.controlParameters }
        guard let status = try linkStatus(click.link), !status.isDeleted else { return nil }
        var parameters = ControlParameters()
        if let days = status.conversionDays { parameters.set(AttributionWindows.conversionKey, to: days) }
        return click.query.map { parameters.overridden(by: URLParts.queryItems($0)) } ?? parameters
    }
}
