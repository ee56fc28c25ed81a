import LindenKernel
import LinkRouting

/// The redirect targets of a domain for visits without an available link, in place of Linden's pages.
package struct DomainPages: Sendable, Equatable {
    /// For the domain's root without a query (with a query it is a long link).
    package var rootURL: String?
    /// For addresses without a link.
    package var notFoundURL: String?
    /// For links past their expiry or click limit, unless a link has its own `expired_url`.
    package var expiredURL: String?

    package init(rootURL: String? = nil, notFoundURL: String? = nil, expiredURL: String? = nil) {
        self.rootURL = rootURL
        self.notFoundURL = notFoundURL
        self.expiredURL = expiredURL
    }

    /// The settings by name.
    package var members: [(name: String, url: String?)] {
        [("root_url", rootURL), ("not_found_url", notFoundURL), ("expired_url", expiredURL)]
    }

    /// Fails with `invalid` for a URL that is malformed or on a host of this server.
    ///
    /// - Parameter isOwn: whether a host has links. A target there could redirect in a loop.
    package func check(isOwn: (_ host: String) throws -> Bool) throws {
        for case (let name, let url?) in members {
            let parts = URLParts(url)
            guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, url.utf8.count <= 2048,
                !url.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
            else {
                throw Failure.invalid("\(name) must be a URL that begins with https:// or http://, at most 2048 bytes long.")
            }
            guard try !isOwn(parts.host) else {
                throw Failure.invalid("\(name) must not be on \(parts.host), which is a link domain: it could redirect to itself.")
            }
        }
    }
}
