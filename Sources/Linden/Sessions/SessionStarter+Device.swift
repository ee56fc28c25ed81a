import LindenKernel
import LinkRouting

/// What a session records of its device and of the browsers beside it.
extension SessionStarter {
    /// Records the device at its address, which measures the density of the address, and the token for Apple's attribution.
    func recordDevice(_ device: Device.ID) throws {
        guard start.caller != .browser, start.caller != .server else { return }
        let description = start.app.app.configuration.matchesFingerprints ? start.description : DeviceDescription()
        try transaction.record(device: device, description, from: context.address.current, in: start.scope, time: transaction.now)
        if let token = start.appleAttributionToken { try transaction.setAppleAttributionToken(token, of: device) }
    }

    /// Records which browsers are beside the app: the one that reported its last click, and the one that made the click that led to it.
    ///
    /// - Parameter isGuessed: whether only a guess led to the click.
    func joinBrowsers(_ session: Session, _ clicked: ClickedLink?, isGuessed: Bool) throws {
        let addresses = context.address.all
        guard start.caller != .browser else { return }
        if attribution.isBrowserReported,
            let reported = try transaction.strongMatch(start.deviceKeys, from: addresses, in: start.scope, at: transaction.now)
        {
            try transaction.join(reported.browser, to: session.device, isGuessed: false, in: start.scope)
            try transaction.deleteStrongMatches(start.deviceKeys, from: addresses, in: start.scope)
        }
        // The click may have been made on a computer, whose browser is beside no app. Who came from another address may have got the
        // click's id from its visitor, as a page does to which the link leads.
        guard let click = clicked?.click, let browser = click.browser, click.visitor.platform != .desktop,
            addresses.contains(click.address), try isGuessed || mayJoin(browser, to: session.device, by: click.id)
        else { return }
        try transaction.join(browser, to: session.device, isGuessed: isGuessed, in: start.scope)
    }

    /// False if the browser is certainly beside another app, which the click led here first: the visitor's neighbors may have the click's id.
    private func mayJoin(_ browser: Browser.ID, to device: Device.ID, by click: Click.ID) throws -> Bool {
        guard let known = try transaction.app(beside: browser, in: start.scope), !known.isGuessed, known.device != device else {
            return true
        }
        return try transaction.session(claiming: click, isPage: false).map { $0.device == device } ?? true
    }
}
