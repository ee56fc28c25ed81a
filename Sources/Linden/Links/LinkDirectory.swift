import LinkRouting

/// A link as the click path needs it.
package struct FoundLink: Sendable {
    package let link: Link
    package let app: AppContext
    package let parameters: ControlParameters
}

/// Finds links by address, from memory where it can. Unknown addresses are not kept, so minting a link invalidates nothing.
package final class LinkDirectory: Sendable {
    private struct Entries {
        var byAddress: [LinkAddress: FoundLink] = [:]
        /// Bytes of link data in `byAddress`.
        var weight = 0
        var hosts: [String: Bool] = [:]
    }

    /// Bytes of link data that are kept: enough for the links that are clicked at any one time, and no more however large one is.
    private static let capacity = 32 << 20
    /// What a link weighs beside its data.
    private static let overhead = 512

    private let storage: any Storage
    private let apps: AppDirectory
    private let baseURL: BaseURL
    private let cache: Cache<Entries>

    package init(storage: any Storage, apps: AppDirectory, baseURL: BaseURL) {
        self.storage = storage
        self.apps = apps
        self.baseURL = baseURL
        cache = Cache(empty: Entries(), storage: storage)
    }

    /// The link at a host and path as they were requested; nil if there is none or it or its app was deleted.
    package func link(host: String, path: String) async throws -> FoundLink? {
        let isRegistered = try await isRegistered(host)
        for address in baseURL.addresses(host: host, path: path, isRegistered: isRegistered) {
            if let found = try await link(at: address) { return found }
        }
        return nil
    }

    /// The link a URL leads to; nil for a URL that is not one of ours.
    package func link(url: String) async throws -> FoundLink? {
        let parts = URLParts(url)
        guard ["http", "https"].contains(parts.scheme) else { return nil }
        if parts.host != baseURL.host {
            guard try await isRegistered(parts.host) else { return nil }
        }
        return try await link(host: parts.host, path: parts.path)
    }

    /// To be called after a link was changed by this process.
    package func forget(_ address: LinkAddress) {
        cache.change { $0.byAddress[address] = nil }
    }

    /// To be called after apps or domains were changed by this process.
    package func forget() {
        cache.clear()
    }

    private func link(at address: LinkAddress) async throws -> FoundLink? {
        if let found = cache.value({ $0.byAddress[address] }) { return found }
        let ticket = cache.ticket
        guard let link = try await storage.read({ try $0.link(at: address) }), link.deletedAt == nil,
            let app = try await apps.app(scope: link.scope)
        else { return nil }
        let found = FoundLink(link: link, app: app, parameters: link.controlParameters)
        let weight = Self.overhead + JSON.object(link.data).bytes.count
        cache.insert(ticket) { entries in
            if entries.weight + weight > Self.capacity {
                entries.byAddress.removeAll()
                entries.weight = 0
            }
            entries.byAddress[address] = found
            entries.weight += weight
        }
        return found
    }

    private func isRegistered(_ host: String) async throws -> Bool {
        if let known = cache.value({ $0.hosts[host] }) { return known }
        let ticket = cache.ticket
        let isRegistered = try await storage.read { try $0.domain(host) != nil }
        cache.insert(ticket) { entries in
            if entries.hosts.count >= 1000 { entries.hosts.removeAll() }
            entries.hosts[host] = isRegistered
        }
        return isRegistered
    }
}
