import LinkRouting

extension AppContext {
    /// Refuses a link that leads where the app lets none lead (Branch's answer to a redirect outside the allowlist).
    func checkRedirects(_ parameters: ControlParameters, _ limits: LinkLimits) throws {
        try check(parameters.keysLeadingAstray(routing), expiredURL: limits.expiredURL)
    }

    /// The same for what is changed; what was there before stays.
    func checkRedirects(_ changes: LinkChanges) throws {
        let parameters = ControlParameters(data: changes.data, labels: Labels())
        try check(parameters.keysLeadingAstray(routing), expiredURL: changes.expiredURL.flatMap { $0 })
    }

    private func check(_ keys: [String], expiredURL: String?) throws {
        var keys = keys
        if let expiredURL, !routing.allows(expiredURL) { keys.append("expired_url") }
        guard keys.isEmpty else {
            throw Failure.invalid(
                "URL doesn't pass security test(s): \(keys.joined(separator: ", ")) must lead to a host on the app's redirect_allowlist."
            )
        }
    }
}
