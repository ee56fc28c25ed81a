import LinkRouting

extension AppContext {
    /// Refuses a link that leads where the app lets none lead (Branch's answer to a redirect outside the allowlist).
    func checkRedirects(_ parameters: ControlParameters, _ limits: LinkLimits) throws {
        var keys = parameters.keysLeadingAstray(routing)
        if let url = limits.expiredURL, !routing.allows(url) { keys.append("expired_url") }
        guard keys.isEmpty else {
            throw Failure.invalid(
                "URL doesn't pass security test(s): \(keys.joined(separator: ", ")) must lead to a host on the app's redirect_allowlist."
            )
        }
    }
}
