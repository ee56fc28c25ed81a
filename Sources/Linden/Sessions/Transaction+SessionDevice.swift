import LinkRouting

extension Transaction {
    /// Records the device at its address, which measures the density of the address, and the token for Apple's attribution.
    func noteDevice(_ beginning: SessionContext, _ device: Device.ID) throws {
        let start = beginning.start
        guard start.caller != .browser, start.caller != .server else { return }
        let description = start.app.app.configuration.matchesFingerprints ? start.description : DeviceDescription()
        try note(device: device, description, from: beginning.address.current, in: start.scope, time: now)
        if let token = start.appleAttributionToken { try setAppleAttributionToken(token, of: device) }
    }

    /// Records which browsers are beside the app: the one that reported its last click, and the one that made the click.
    func joinBrowsers(_ beginning: SessionContext, _ session: Session) throws {
        let (start, addresses) = (beginning.start, beginning.address.all)
        guard start.caller != .browser else { return }
        if start.mayAskBrowser, let reported = try strongMatch(start.deviceKeys, from: addresses, in: start.scope, at: now) {
            try join(reported.browser, to: session.device, in: start.scope)
            try deleteStrongMatches(start.deviceKeys, from: addresses, in: start.scope)
        }
        // The click may have been made on a computer, whose browser is beside no app.
        if let click = try session.click.flatMap(click), click.visitor.platform != .desktop, let browser = click.browser {
            try join(browser, to: session.device, in: start.scope)
        }
    }
}
