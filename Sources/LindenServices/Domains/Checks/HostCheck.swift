import Linden

/// A check that a host is known: as an app's domain or as the base URL's host.
package enum HostCheck {
    /// - Parameter files: the host's files as Linden serves them; nil for an unknown host.
    package static func finding(host: String, files: AssociationFiles?, baseURL: BaseURL) -> Finding {
        guard let files else {
            return Finding(
                "host", .error,
                "\(host) is neither an app's domain nor the host of the base URL, \(baseURL.text).",
                remedy: Remedy("Give it to an app", .addDomain(host)))
        }
        let names = files.apps.map(\.name).joined(separator: ", ")
        guard !files.apps.isEmpty else {
            return Finding("host", .warning, "\(host) is the host of the base URL, but every app has a domain of its own.")
        }
        return Finding("host", .ok, "Links on \(host) are for \(names).")
    }
}
