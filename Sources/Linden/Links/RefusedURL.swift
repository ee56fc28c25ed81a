import LindenKernel

/// A host that visited URLs named as redirect target and that is not one of the app's, so that it was ignored; with its visits.
package struct RefusedURL: Sendable, Equatable {
    package let scope: Scope
    /// Empty for a URL without a valid host name.
    package let host: String
    package let visits: Int64
    package let firstAt: Timestamp
    package let lastAt: Timestamp

    package init(scope: Scope, host: String, visits: Int64, firstAt: Timestamp, lastAt: Timestamp) {
        self.scope = scope
        self.host = host
        self.visits = visits
        self.firstAt = firstAt
        self.lastAt = lastAt
    }

    /// The maximum number of hosts stored per scope: those with most visits.
    package static let capacity = 100
    /// How long a host is stored after its last visit.
    package static let memory: Duration = .seconds(30 * 86400)
}

package protocol RefusedURLReader {
    /// Returns the hosts of a scope, most visits first.
    func refusedURLs(of scope: Scope) throws -> [RefusedURL]
}

package protocol RefusedURLRepository: RefusedURLReader {
    /// Adds visits to the stored hosts. Keeps, of each scope in `urls`, the `capacity` hosts with most visits, without those last visited
    /// before `oldest`.
    func add(_ urls: [RefusedURL], keeping capacity: Int, since oldest: Timestamp) throws
}

extension RefusedURL {
    /// Returns the doctor's finding about the host.
    package func finding(_ reference: String) -> Finding {
        let place = host.isEmpty ? "What is no web address" : "A URL of \(host)"
        return Finding(
            "links.appended_urls", .warning,
            "\(place) was set in the address of links in \(visits) \(visits == 1 ? "visit" : "visits") since \(firstAt.iso8601). It was "
                + "ignored, and visitors went where the link leads, since anyone can write such an address.",
            remedy: host.isEmpty ? nil : Remedy("If the host is yours", .set(AppSetting.ownHosts, to: host, app: reference)),
            app: scope.app)
    }
}
