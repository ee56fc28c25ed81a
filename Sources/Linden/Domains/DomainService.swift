/// Adds, lists and removes the hosts of an app's links.
package struct DomainService: Sendable {
    private let storage: any Storage
    private let directory: AppDirectory
    private let links: LinkDirectory

    package init(storage: any Storage, directory: AppDirectory, links: LinkDirectory) {
        self.storage = storage
        self.directory = directory
        self.links = links
    }

    package func add(_ text: String, to scope: Scope) async throws -> Domain {
        let domain = Domain(host: try Domain.normalizedHost(text), scope: scope)
        try await storage.write { transaction in try transaction.add(domain) }
        directory.forget()
        links.forget()
        return domain
    }

    package func list(scope: Scope? = nil) async throws -> [Domain] {
        let domains = try await storage.read { try $0.domains() }
        return domains.filter { scope == nil || $0.scope == scope }
    }

    package func remove(_ text: String, from scope: Scope) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { transaction in
            guard try transaction.domain(host)?.scope == scope, try transaction.deleteDomain(host) else {
                throw Failure.notFound("\(host) is not a domain of this app.")
            }
        }
        directory.forget()
        links.forget()
    }
}

extension Transaction {
    /// Adds a domain; fails with `conflict` if any app has it already.
    func add(_ domain: Domain) throws {
        guard try insert(domain, at: now) else {
            throw Failure(.conflict, "\(domain.host) is the domain of an app already.")
        }
    }
}
