import Linden
import LindenKernel

/// The operator's description of a new app.
package struct NewApp: Sendable {
    package var name: String
    /// Settings under Branch's names.
    package var settings: JSONObject
    /// The host of the app's live links; nil for the base URL's host.
    package var domain: String?

    package init(name: String, settings: JSONObject = [:], domain: String? = nil) {
        self.name = name
        self.settings = settings
        self.domain = domain
    }
}

/// A new app with its keys. The only place where its secrets are returned in plain text.
package struct CreatedApp: Sendable {
    package let app: App
    package let live: (key: AppKey, secret: String)
    package let test: (key: AppKey, secret: String)
    package let domain: String?
}

/// Creates, shows, updates and deletes apps.
package struct AppService: Sendable {
    private let storage: any Storage
    private let caches: AppCaches
    private let random: RandomSource
    private let dashboardHost: String?

    /// - Parameter dashboardHost: the dashboard's own host, which no app gets; nil if it has none.
    package init(storage: any Storage, caches: AppCaches, random: RandomSource, dashboardHost: String?) {
        self.storage = storage
        self.caches = caches
        self.random = random
        self.dashboardHost = dashboardHost
    }

    package func create(_ new: NewApp) async throws -> CreatedApp {
        let name = try checkedName(new.name)
        let configuration = try AppConfiguration().merging(new.settings)
        let host = try new.domain.map(Domain.normalizedHost)
        let created = try await storage.write { [random, dashboardHost] transaction in
            let app = App(id: try transaction.newID(), name: name, configuration: configuration, createdAt: transaction.now)
            try transaction.insert(app)
            let live = AppKey.make(for: Scope(app: app.id, mode: .live), random: random)
            let test = AppKey.make(for: Scope(app: app.id, mode: .test), random: random)
            try transaction.insert(live.key, at: transaction.now)
            try transaction.insert(test.key, at: transaction.now)
            if let host {
                let domain = Domain(host: host, scope: live.key.scope)
                try domain.check(isNot: dashboardHost)
                try transaction.add(domain)
            }
            return CreatedApp(app: app, live: live, test: test, domain: host)
        }
        caches.invalidateHosts(of: created.app.id, changed: host)
        return created
    }

    /// - Parameter only: the app that is listed if there is one; nil for all.
    package func list(only: App.ID? = nil) async throws -> [AppSummary] {
        try await storage.read { reader in
            let apps = if let only { [try reader.app(only)].compactMap { $0 } } else { try reader.apps() }
            return try apps.map { try AppSummary($0, reader) }
        }
    }

    /// Returns an app by one of its keys or by its id.
    package func show(_ reference: String) async throws -> AppSummary {
        try await storage.read { reader in
            let scope = try reader.scope(reference: reference)
            guard let app = try reader.app(scope.app) else { throw Failure.noSuchApp(reference) }
            return try AppSummary(app, reader)
        }
    }

    /// Returns which side of which app a key or an id refers to. An id means the live side. Fails with `notFound`.
    package func scope(of reference: String) async throws -> Scope {
        try await storage.read { try $0.scope(reference: reference) }
    }

    /// Returns as ``scope(of:)`` does, also of a deleted app: the data about its users stay until they are erased.
    package func scopeOfUsers(_ reference: String) async throws -> Scope {
        try await storage.read { try $0.scope(ofDeletedApp: reference) ?? $0.scope(reference: reference) }
    }

    /// Returns one side of an app with all that its calls need, such as its routes, by key or by id; an id means the live side.
    package func context(_ reference: String) async throws -> AppContext {
        try await storage.read { try $0.appContext(reference: reference) }
    }

    /// Changes settings of one side; null removes one. Branch's own `app_name` renames the app. Fails with `forbidden` if the test side
    /// would change a setting that both sides share.
    ///
    /// - Returns: the app with the settings of that side.
    package func update(_ scope: Scope, name: String? = nil, settings: JSONObject) async throws -> App {
        let change = try SettingsChange(name: try name.map(checkedName), settings: settings)
        let (former, updated) = try await storage.write { transaction in
            guard let app = try transaction.app(scope.app) else { throw Failure.notFound("There is no such app.") }
            let changed = try change.apply(to: app, by: scope.mode)
            if !changed.isStored(as: app) { try transaction.update(changed, at: transaction.now) }
            return (app, changed)
        }
        if !updated.isInSameAssociations(as: former) {
            caches.invalidateWithAssociations(scope.app)
        } else if !updated.isStored(as: former) {
            caches.invalidate(scope.app)
        }
        return updated.side(scope.mode)
    }

    /// Deletes an app. Its keys are refused from now on and its domains become available. Its links respond like unknown ones, but their
    /// addresses stay reserved, so that another app's links cannot take them over.
    package func delete(_ id: App.ID) async throws {
        try await storage.write { transaction in
            guard try transaction.deleteApp(id, at: transaction.now) else { throw Failure.notFound("There is no such app.") }
            try transaction.deleteDomains(of: id)
        }
        caches.invalidateHosts(of: id)
    }

    private func checkedName(_ name: String) throws -> String {
        guard !name.isEmpty, name.unicodeScalars.count <= 255, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Failure.invalid("An app's name must have 1 to 255 characters and no control characters.", at: "name")
        }
        return name
    }
}

extension App {
    /// Whether two versions of an app are the same bytes in the database: texts that Swift takes for equal may have different ones.
    fileprivate func isStored(as other: App) -> Bool {
        name.hasSameBytes(as: other.name) && configuration.bytes == other.configuration.bytes
            && testConfiguration.bytes == other.testConfiguration.bytes
    }
}

extension AppConfiguration {
    fileprivate var bytes: [UInt8] { JSON.object(values).bytes }
}

/// An app with its keys and domains.
package struct AppSummary: Sendable {
    package let app: App
    package let keys: [AppKey]
    package let formerSecrets: [FormerSecret]
    package let domains: [Domain]

    init(_ app: App, _ reader: any AppContextReader) throws {
        self.app = app
        keys = try reader.appKeys(of: app.id)
        formerSecrets = try reader.formerSecrets(of: app.id)
        domains = try Mode.allCases.flatMap { mode in
            let scope = Scope(app: app.id, mode: mode)
            return try reader.domains(of: scope).map { Domain(host: $0, scope: scope) }
        }
    }
}

extension AppContextReader {
    /// Returns the side of an app that a key or an id refers to. An id means the live side.
    package func appContext(reference: String) throws -> AppContext {
        if let context = try appContext(branchKey: reference) { return context }
        if let number = Int64(reference), let context = try appContext(scope: Scope(app: App.ID(rawValue: number), mode: .live)) {
            return context
        }
        throw Failure.noSuchApp(reference)
    }
}

extension AppReader {
    /// Returns the side of an app that a key or an id refers to, see ``AppContextReader/appContext(reference:)``.
    fileprivate func scope(reference: String) throws -> Scope {
        if let key = try appKey(reference) { return key.scope }
        guard let number = Int64(reference), let app = try app(App.ID(rawValue: number)) else {
            throw Failure.noSuchApp(reference)
        }
        return Scope(app: app.id, mode: .live)
    }
}

extension Failure {
    package static func noSuchApp(_ reference: String) -> Failure {
        .notFound("\(reference) is neither the key nor the id of an app here.")
    }
}
