import LinkRouting
import Synchronization

/// Finds apps by branch key or scope, from memory where it can.
package final class AppDirectory: Sendable {
    private struct Entries {
        var byKey: [String: AppContext] = [:]
        var byScope: [Scope: AppContext] = [:]
        /// Both sides of an app have the same.
        var routes: [App.ID: StoredRoutes] = [:]
    }

    private let storage: any Storage
    private let cache: Cache<Entries>

    package init(storage: any Storage) {
        self.storage = storage
        cache = Cache(empty: Entries(), storage: storage)
    }

    /// The app a branch key belongs to. Fails as Branch does, with "invalid" for a key that is missing, malformed, unknown or
    /// deleted.
    package func app(branchKey: String?) async throws -> AppContext {
        guard let branchKey, !branchKey.isEmpty else { throw Failure.missingBranchKey }
        if let context = cache.value({ $0.byKey[branchKey] }) { return context }
        let ticket = cache.ticket
        guard let context = try await storage.read({ try $0.appContext(branchKey: branchKey) }) else {
            throw Failure.unknownBranchKey
        }
        return remember(context, ticket)
    }

    /// The app a branch key belongs to; nil if there is none.
    package func knownApp(branchKey: String) async throws -> AppContext? {
        do {
            return try await app(branchKey: branchKey)
        } catch let failure as Failure where failure.code == .invalid {
            return nil
        }
    }

    /// The app of a key, if the secret is that key's.
    package func app(branchKey: String?, secret: String?) async throws -> AppContext {
        let context = try await app(branchKey: branchKey)
        guard let secret, !secret.isEmpty else { throw Failure.missingBranchSecret }
        guard context.has(secret: secret) else { throw Failure.wrongBranchSecret }
        return context
    }

    /// The app and mode that a stored row belongs to; nil if the app was deleted.
    package func app(scope: Scope) async throws -> AppContext? {
        if let context = cache.value({ $0.byScope[scope] }) { return context }
        let ticket = cache.ticket
        guard let context = try await storage.read({ try $0.appContext(scope: scope) }) else { return nil }
        return remember(context, ticket)
    }

    /// To be called after apps, keys or domains were written by this process.
    package func forget() {
        cache.clear()
    }

    /// The context as it is kept: of several who looked for it at once, the first one's routes are everybody's.
    private func remember(_ context: AppContext, _ ticket: Cache<Entries>.Ticket) -> AppContext {
        cache.insert(ticket) { entries in
            guard entries.byKey[context.key.branchKey] == nil else { return }
            let shared = entries.routes[context.app.id].map(context.sharing) ?? context
            entries.routes[context.app.id] = shared.storedRoutes
            entries.byKey[context.key.branchKey] = shared
            entries.byScope[context.scope] = shared
        }
        return cache.value { $0.byKey[context.key.branchKey] } ?? context
    }
}

extension Reader {
    /// The app of a branch key, with its settings, domain and routes.
    package func appContext(branchKey: String) throws -> AppContext? {
        guard let key = try appKey(branchKey), let app = try app(key.scope.app) else { return nil }
        return try context(of: app, key, withRoutes: true)
    }

    /// - Parameter withRoutes: false inside a write, where nobody asks for them.
    package func appContext(scope: Scope, withRoutes: Bool = true) throws -> AppContext? {
        guard let app = try app(scope.app), let key = try appKeys(of: scope.app).first(where: { $0.scope == scope }) else {
            return nil
        }
        return try context(of: app, key, withRoutes: withRoutes)
    }

    private func context(of app: App, _ key: AppKey, withRoutes: Bool) throws -> AppContext {
        AppContext(
            app: app, key: key, domains: try domains(of: key.scope),
            routes: withRoutes ? try routes(of: app.id) : [])
    }
}

// Branch answers 400 to a bad credential as to a bad field (see its OpenAPI descriptions), and the SDKs depend on it: the Android
// SDK up to 3.x fails its whole queue on 401, 403 and 404.
extension Failure {
    package static let missingBranchKey = Failure.invalid("branch_key is missing.")
    package static let unknownBranchKey = Failure.invalid("branch_key is not the key of any app here.")
    package static let missingBranchSecret = Failure.invalid("branch_secret is missing.")
    package static let wrongBranchSecret = Failure.invalid("branch_secret is not the secret of this branch_key.")
}
