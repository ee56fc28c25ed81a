import LinkRouting

extension AppContext {
    /// Throws `invalid` if a link leads to a host outside the app's allowlist (Branch's response to such a redirect).
    func checkRedirects(_ parameters: ControlParameters, _ limits: LinkLimits) throws {
        try check(parameters.disallowedRedirectKeys(routing), expiredURL: limits.expiredURL)
    }

    /// Checks only the URLs that are changed; stored ones stay valid.
    func checkRedirects(_ changes: LinkChanges) throws {
        let parameters = ControlParameters(data: changes.data, labels: Labels())
        try check(parameters.disallowedRedirectKeys(routing), expiredURL: changes.expiredURL.flatMap { $0 })
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
