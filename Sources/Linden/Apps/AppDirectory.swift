import LindenKernel
import LinkRouting
import Synchronization

/// Finds apps by branch key or scope; caches the results.
package final class AppDirectory: Sendable {
    private struct Entries {
        var byKey: [String: AppContext] = [:]
        var byScope: [Scope: AppContext] = [:]
        /// What all keys of an app's side share. Both sides share their routes.
        var sides: [Scope: AppContext] = [:]
        /// The number of changes of apps, and that of the last one of each app.
        var changes = 0
        var lastChange: [App.ID: Int] = [:]

        /// Removes an app after a change. What was read of it before is not inserted any more; what was read of others is.
        mutating func remove(_ app: App.ID) {
            changes += 1
            lastChange[app] = changes
            for context in byKey.values.filter({ $0.app.id == app }) {
                context.isOutdated = true
                byKey[context.key.branchKey] = nil
                byScope[context.scope] = nil
            }
            for mode in Mode.allCases { sides[Scope(app: app, mode: mode)] = nil }
        }
    }

    /// A look-up of what is stored since a ticket of the cache and a number of changes: an app may be large, and thousands may ask for it once it
    /// has been changed.
    private struct Read: Hashable {
        let reference: Reference
        let ticket: Cache<Entries>.Ticket
        let changes: Int
    }

    private enum Reference: Hashable {
        case branchKey(String)
        case scope(Scope)
    }

    private let storage: any Storage
    private let clock: WallClock
    private let cache: Cache<Entries>
    private let reads = SharedReads<Read, AppContext?>()

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
        cache = Cache(empty: Entries(), storage: storage)
    }

    /// Returns the app of a branch key. Fails like Branch, with `invalid`, for a key that is missing, malformed, unknown, deleted or past
    /// the end of its rotation overlap.
    package func app(branchKey: String?) async throws -> AppContext {
        let context = try await app(keyOfLink: branchKey)
        guard !context.key.hasEnded(at: clock.now()) else { throw Failure.endedBranchKey }
        return context
    }

    /// Returns the app of a key in a link's address. Also accepts keys past their overlap: existing links keep working after calls with the
    /// key are refused.
    private func app(keyOfLink branchKey: String?) async throws -> AppContext {
        guard let branchKey, !branchKey.isEmpty else { throw Failure.missingBranchKey }
        // The look-up hashes all of it. No key is that long, or has characters beyond ASCII, some of which are equal to ASCII for Swift.
        guard branchKey.utf8.count <= 256, branchKey.ifASCII != nil else { throw Failure.unknownBranchKey }
        guard let context = try await app(.branchKey(branchKey)) else { throw Failure.unknownBranchKey }
        return context
    }

    /// Returns the app of a branch key; nil if the key is not valid.
    package func knownApp(branchKey: String) async throws -> AppContext? {
        do {
            return try await app(branchKey: branchKey)
        } catch let failure as Failure where failure.code == .invalid {
            return nil
        }
    }

    /// Returns the app of a key in a link's address, see ``app(keyOfLink:)``; nil if there is none.
    package func knownApp(keyOfLink branchKey: String) async throws -> AppContext? {
        do {
            return try await app(keyOfLink: branchKey)
        } catch let failure as Failure where failure.code == .invalid {
            return nil
        }
    }

    /// Returns the app of a key if the secret is that side's current one, or a former one that has not expired.
    package func app(branchKey: String?, secret: String?) async throws -> AppContext {
        let context = try await app(branchKey: branchKey)
        guard let secret, !secret.isEmpty else { throw Failure.missingBranchSecret }
        guard accepts(secret, of: context) else { throw Failure.wrongBranchSecret }
        return context
    }

    /// Whether a secret is the current one of an app's side, or a former one that has not expired.
    package func accepts(_ secret: String?, of context: AppContext) -> Bool {
        guard let secret, !secret.isEmpty else { return false }
        return context.accepts(secret, at: clock.now())
    }

    /// Returns the app and side that a stored row belongs to; nil if the app was deleted.
    package func app(scope: Scope) async throws -> AppContext? {
        try await app(.scope(scope))
    }

    private func cachedApp(_ reference: Reference) -> AppContext? {
        cache.value {
            switch reference {
            case .branchKey(let key): $0.byKey[key]
            case .scope(let scope): $0.byScope[scope]
            }
        }
    }

    private func app(_ reference: Reference) async throws -> AppContext? {
        if let cached = cachedApp(reference) { return cached }
        let (ticket, changes) = cache.ticket { $0.changes }
        let read = Read(reference: reference, ticket: ticket, changes: changes)
        return try await reads.value(read) { [self] in
            // Another read may have ended between the look-up and this one.
            if let cached = cachedApp(reference) { return cached }
            let found = try await storage.read { reader in
                switch reference {
                case .branchKey(let key): try reader.appContext(branchKey: key)
                case .scope(let scope): try reader.appContext(scope: scope)
                }
            }
            return found.map { remember($0, by: read) }
        }
    }

    /// Removes an app, and with it its cached links. Must be called after this process has written an app, its keys, domains or routes.
    package func invalidate(_ app: App.ID) {
        cache.lookUp { $0.remove(app) }
    }

    /// Caches a context and returns the cached one, which shares what those of the app have that are cached: an app may have a hundred keys on a
    /// side, and a thousand domains.
    private func remember(_ context: AppContext, by read: Read) -> AppContext {
        cache.insert(read.ticket) { entries in
            guard entries.byKey[context.key.branchKey] == nil, entries.lastChange[context.app.id, default: 0] <= read.changes else {
                return
            }
            let side = entries.sides[context.scope]
            let other = Mode.allCases.compactMap { entries.sides[Scope(app: context.app.id, mode: $0)] }.first
            let shared = side.map(context.sharing) ?? other.map { context.sharing($0.storedRoutes) } ?? context
            entries.sides[context.scope] = side ?? shared
            entries.byKey[context.key.branchKey] = shared
            // New links are created with the current key, so only its context is found by scope.
            if context.key.replacedAt == nil { entries.byScope[context.scope] = shared }
        }
        if let cached = cache.value({ $0.byKey[context.key.branchKey] }) { return cached }
        // It was changed while it was read. As it is not cached, a later change would not mark it.
        context.isOutdated = true
        return context
    }
}

/// A view of one app, as its calls need it: settings, keys, domains and routes.
package protocol AppContextReader: AppReader, DomainReader, RouteReader {}

extension AppContextReader {
    /// Returns the app of a branch key, with its settings, domains and routes.
    package func appContext(branchKey: String) throws -> AppContext? {
        guard let key = try appKey(branchKey), let app = try app(key.scope.app) else { return nil }
        return try context(of: app, key, withRoutes: true)
    }

    /// Returns the current context of one side of an app; nil if there is no such app.
    ///
    /// - Parameter withRoutes: false within a write, where the routes are not needed.
    package func appContext(scope: Scope, withRoutes: Bool = true) throws -> AppContext? {
        guard let app = try app(scope.app),
            let key = try appKeys(of: scope.app).first(where: { $0.scope == scope && $0.replacedAt == nil })
        else {
            return nil
        }
        return try context(of: app, key, withRoutes: withRoutes)
    }

    private func context(of app: App, _ key: AppKey, withRoutes: Bool) throws -> AppContext {
        AppContext(
            app: app, key: key, formerSecrets: try formerSecrets(of: app.id).filter { $0.scope == key.scope },
            domains: try domains(of: key.scope),
            routes: withRoutes ? try routes(of: app.id) : [])
    }
}

// Branch answers 400 to a bad credential as to a bad field (see its OpenAPI descriptions), and the SDKs depend on it: the Android
// SDK up to 3.x fails its whole queue on 401, 403 and 404.
extension Failure {
    package static let missingBranchKey = Failure.invalid("branch_key is missing.")
    package static let unknownBranchKey = Failure.invalid("branch_key is unknown: no app on this server has it.")
    package static let endedBranchKey = Failure.invalid("branch_key was replaced by a newer key, and its overlap has ended.")
    package static let missingBranchSecret = Failure.invalid("branch_secret is missing.")
    package static let wrongBranchSecret = Failure.invalid("branch_secret is not the secret of this branch_key.")
}
