import Linden
import LindenKernel

/// A service that adds, lists, updates and removes the hosts of an app's links.
package struct DomainService: Sendable {
    private let storage: any Storage
    private let links: LinkDirectory
    private let associations: AssociationDirectory
    private let caches: AppCaches
    private let baseURL: BaseURL
    private let dashboardHost: String?
    private let turns: AnswerTurns<App.ID>

    /// - Parameter dashboardHost: the dashboard's own host, which no app gets; nil if it has none.
    package init(
        storage: any Storage, links: LinkDirectory, associations: AssociationDirectory, caches: AppCaches, baseURL: BaseURL,
        dashboardHost: String?, turns: AnswerTurns<App.ID>
    ) {
        self.storage = storage
        self.links = links
        self.associations = associations
        self.caches = caches
        self.baseURL = baseURL
        self.dashboardHost = dashboardHost
        self.turns = turns
    }

    /// Adds a host. Fails with `conflict` for one that an app owns already, and with `invalid` for the dashboard's.
    package func add(_ text: String, to scope: Scope) async throws -> Domain {
        let domain = Domain(host: try Domain.normalizedHost(text), scope: scope)
        try domain.check(isNot: dashboardHost)
        try await storage.write { transaction in try transaction.add(domain) }
        caches.invalidateHosts(of: scope.app, changed: domain.host)
        return domain
    }

    /// Returns a page of the hosts of an app's links, by host: of one side of the app, or of both. Without an app, returns those of all apps,
    /// and after them the base URL's host if only additional apps use it.
    ///
    /// - Parameter host: the last one of the page before; nil for the first page.
    /// - Returns: the hosts, and the last one of them if there are more.
    package func list(
        of app: App.ID? = nil, _ mode: Mode? = nil, after host: String? = nil, limit: Int
    ) async throws -> (domains: [DomainSummary], next: String?) {
        try await turns.read(upTo: limit, of: app ?? .allApps) { try await read(of: app, mode, after: host, limit: limit) }
    }

    private func read(
        of app: App.ID?, _ mode: Mode?, after host: String?, limit: Int
    ) async throws -> (domains: [DomainSummary], next: String?) {
        try await storage.read { [baseURL] reader in
            let found = try reader.domains(of: app, mode, after: host ?? "", limit: limit + 1)
            var page = try found.prefix(limit).map {
                DomainSummary(host: $0.host, scope: $0.scope, pages: $0.pages, furtherApps: try reader.associatedApps(of: $0.host))
            }
            guard found.count <= limit else { return (page, page.last?.host) }
            if app == nil, try reader.domain(baseURL.host) == nil {
                let apps = try reader.associatedApps(of: baseURL.host)
                if !apps.isEmpty {
                    page.append(DomainSummary(host: baseURL.host, scope: nil, pages: DomainPages(), furtherApps: apps))
                }
            }
            return (page, nil)
        }
    }

    /// Returns the other apps with links on an app's domain: none, unless it is the base URL's host.
    package func otherApps(on domain: Domain) async throws -> [App] {
        guard domain.host == baseURL.host else { return [] }
        return try await storage.read { try $0.appsWithoutDomain(.live) }.filter { $0.id != domain.scope.app }
    }

    /// Allows an additional app to open a host's links. The links still belong to the app that owns the host.
    package func associate(_ app: App.ID, with text: String) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { [baseURL] transaction in
            let owner = try transaction.domain(host)?.scope.app
            guard host == baseURL.host || owner != nil else { throw Failure.notFound("\(host) is no app's domain.") }
            guard owner != app else {
                throw Failure(.conflict, "\(host) is the app's own domain: the app can open its links already.")
            }
            guard try transaction.associate(app, with: host, at: transaction.now) else {
                throw Failure(.conflict, "The app is already associated with \(host).")
            }
        }
        caches.invalidateHosts(of: app, changed: host)
    }

    package func dissociate(_ app: App.ID, from text: String) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { transaction in
            guard try transaction.dissociate(app, from: host) else {
                throw Failure.notFound("The app is no further app of \(host).")
            }
        }
        caches.invalidateHosts(of: app, changed: host)
    }

    /// Returns the association files of a host; nil for a host without links of this installation.
    package func associationFiles(of host: String) async throws -> AssociationFiles? {
        try await associations.files(of: host)
    }

    /// Returns an association file as it is served.
    package func associationFile(_ kind: AssociationFile.Kind, of host: String) async throws -> AssociationFile? {
        try await associations.file(kind, of: host)
    }

    /// Fails with `notFound` unless the host belongs to the scope.
    package func check(_ text: String, isOf scope: Scope) async throws {
        let host = try Domain.normalizedHost(text)
        guard try await storage.read({ try $0.domain(host)?.scope }) == scope else { throw Failure.notDomain(host) }
    }

    /// Changes the redirect targets of a domain. Fails with `invalid` for anything but a web address outside this server.
    package func update(
        _ text: String, of scope: Scope, _ change: @escaping @Sendable (inout DomainPages) -> Void
    ) async throws -> Domain {
        let host = try Domain.normalizedHost(text)
        let domain = try await storage.write { [baseURL] transaction in
            guard var domain = try transaction.domain(host), domain.scope == scope else { throw Failure.notDomain(host) }
            change(&domain.pages)
            try domain.pages.check { host in try host == baseURL.host || transaction.domain(host) != nil }
            try transaction.update(domain)
            return domain
        }
        caches.invalidate(scope.app)
        return domain
    }

    /// Returns the domain of a host; nil for a host that no app owns.
    package func domain(_ host: String) async throws -> Domain? {
        try await links.domain(host)
    }

    /// - Parameter mayShareHost: whether the app may be left without a domain for its live links. Then its links are on the host of the base URL,
    ///   which all such apps share: its phone app may open the links of the others there. Fails with `forbidden` otherwise.
    package func remove(_ text: String, from scope: Scope, mayShareHost: Bool) async throws {
        let host = try Domain.normalizedHost(text)
        try await storage.write { transaction in
            guard try transaction.domain(host)?.scope == scope else { throw Failure.notDomain(host) }
            guard try mayShareHost || scope.mode == .test || transaction.domains(of: scope).count > 1 else {
                throw Failure(
                    .forbidden,
                    "\(host) is the only domain of the app's links. Without one, the app shares a host with others: only an operator of all "
                        + "apps can remove it.")
            }
            guard try transaction.deleteDomain(host) else { throw Failure.notDomain(host) }
        }
        caches.invalidateHosts(of: scope.app, changed: host)
    }
}

/// A host and the apps that may open its links.
package struct DomainSummary: Sendable {
    package let host: String
    /// The scope that owns the host; nil for the base URL's host if it is no app's domain.
    package let scope: Scope?
    package let pages: DomainPages
    package let furtherApps: [App.ID]
}

extension DomainRepository where Self: AppContextReader & SnapshotReader {
    /// Adds a domain. Fails with `conflict` if an app owns it already.
    func add(_ domain: Domain) throws {
        guard try app(domain.scope.app) != nil else { throw Failure.notFound("There is no such app.") }
        guard try domains(of: domain.scope).count < Domain.mostOfScope else {
            throw Failure.invalid("An app may have at most \(Domain.mostOfScope) domains a side.", at: "domain")
        }
        guard try insert(domain, at: now) else {
            throw Failure(
                .conflict, "\(domain.host) is \(try owner(of: domain.host) ?? "the domain of an app") already.", at: ["domain"])
        }
    }

    /// Returns a description of a host's owner for messages.
    private func owner(of host: String) throws -> String? {
        guard let scope = try self.domain(host)?.scope, let owner = try appContext(scope: scope, withRoutes: false) else {
            return nil
        }
        return "the domain of \(owner.app.name)'s \(scope.mode.name) links (\(owner.key.branchKey))"
    }
}

extension Failure {
    fileprivate static func notDomain(_ host: String) -> Failure { .notFound("\(host) is not a domain of this app.") }
}

extension Domain {
    /// Fails with `invalid` for the dashboard's own host, where links could lead its users to imitations of it.
    func check(isNot dashboardHost: String?) throws {
        guard host != dashboardHost else {
            throw Failure.invalid(
                "\(host) is the host of the dashboard (dashboard.host), where no app can have links.", at: "domain")
        }
    }
}
