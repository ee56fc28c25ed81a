import LinkRouting

extension LinkDirectory {
    func isOwnHost(_ host: String) async throws -> Bool {
        if host == baseURL.host { return true }
        return try await owner(of: host) != nil
    }

    /// Returns the one app whose links a host has; nil if links of any app may be there, as on the base URL's host, even where that is an
    /// app's domain.
    func soleOwner(of host: String) async throws -> Scope? {
        host == baseURL.host ? nil : try await owner(of: host)
    }

    /// Returns the app whose domain a host is, if cached; the outer optional is nil if it is not.
    func cachedOwner(of host: String) -> Scope?? { cache.lookUp({ $0.domain(of: host).map { $0?.scope } }) }

    /// Returns the app whose domain a host is; nil if it is no app's.
    func owner(of host: String) async throws -> Scope? { try await domain(host)?.scope }

    /// Returns the domain of a host, if cached; the outer optional is nil if it is not.
    func cachedDomain(_ host: String) -> Domain?? { cache.lookUp({ $0.domain(of: host) }) }

    /// Returns the domain of a host; nil if it is no app's.
    func domain(_ host: String) async throws -> Domain? {
        if let known = cachedDomain(host) { return known }
        let ticket = cache.ticket
        let domain = try await storage.read { try $0.domain(host) }
        cache.insert(ticket) { $0.insert(domain, of: host, isBase: host == baseURL.host) }
        return domain
    }
}
