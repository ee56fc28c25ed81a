import LindenKernel
import LinkRouting

/// The last touch: the click that last led a device or its identity into the app, and that its events are credited to.
package struct LastTouch: Sendable {
    package let click: Click

    package init(click: Click) {
        self.click = click
    }
}

extension ClickReader where Self: AppReader & LinkReader & SnapshotReader {
    /// Returns the last touch, or nil if there was no click, its link is gone, or the conversion window is over. The window is the link's
    /// own, else the app's (`$click_conversion_window_days`), or `limit` if that is shorter.
    package func lastTouch(device: Device?, identity: Identity?, in scope: Scope, within limit: Duration? = nil) throws
        -> LastTouch?
    {
        guard let id = [device?.lastClick, identity?.lastClick].compactMap({ $0 }).max(), let click = try click(id),
            let app = try app(scope.app)?.side(scope.mode),
            let windows = try windows(of: click, app: app.configuration)
        else { return nil }
        let window = min(.seconds(windows.conversion), limit ?? .seconds(windows.conversion))
        return now < id.time + window ? LastTouch(click: click) : nil
    }
}
