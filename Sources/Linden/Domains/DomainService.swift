/// Adds, lists and removes the hosts of an app's links.
package struct DomainService: Sendable {
    private let storage: any Storage
    private let directory: AppDirectory
    private let links: LinkDirectory
    private let baseURL: BaseURL

    package init(storage: any Storage, directory: AppDirectory, links: LinkDirectory, baseURL: BaseURL) {
        self.baseURL = baseURL
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

    /// Lets a further app open a host's links. They stay the links of the app whose host it is.
    package func associate(_ app: App.ID, with text: String) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { [baseURL] transaction in
            guard try host == baseURL.host || transaction.domain(host) != nil else {
                throw Failure.notFound("\(host) is no app's domain.")
            }
            guard try transaction.associate(app, with: host, at: transaction.now) else {
                throw Failure(.conflict, "The app may open the links of \(host) already.")
            }
        }
    }

    package func dissociate(_ app: App.ID, from text: String) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { transaction in
            guard try transaction.dissociate(app, from: host) else {
                throw Failure.notFound("The app is no further app of \(host).")
            }
        }
    }

    /// The association files of a host; nil for one that has no links of ours.
    package func associationFiles(of host: String) async throws -> AssociationFiles? {
        try await storage.read { [baseURL] reader in try reader.associationFiles(of: host, baseURL) }
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
