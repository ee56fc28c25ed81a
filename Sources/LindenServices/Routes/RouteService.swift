import Linden
import LindenKernel
import RoutePatterns

/// A service that adds, lists, enables, disables and removes the routes of an app. Routes apply to the app's live and test side.
package struct RouteService: Sendable {
    private let storage: any Storage
    private let caches: AppCaches

    package init(storage: any Storage, caches: AppCaches) {
        self.storage = storage
        self.caches = caches
    }

    /// Returns the routes in matching order.
    package func list(_ app: App.ID) async throws -> [Route] {
        try await storage.read { try $0.routes(of: app) }
    }

    /// Adds routes after the app's others or before one of them, all or none. A route with an empty id gets a number as its id.
    ///
    /// Fails with `invalid` for a route that can never match, and with `conflict` for an id or a path that the app has already.
    /// - Parameter ignoringRepeats: skips routes that lead to the same screen as the app's route for the same path, as WAAppRouting does
    ///   with registration strings.
    package func add(
        _ new: [Route], to app: App.ID, before: String? = nil, ignoringRepeats: Bool = false
    ) async throws -> [Route] {
        let stored = try await list(app)
        if let before, !stored.contains(where: { $0.id == before }) { throw Failure.noSuchRoute(before) }
        let added = try (ignoringRepeats ? new.withoutRepeats(of: stored) : new).numbered(behind: stored)
        guard !added.isEmpty else { return [] }
        try await storage.write { transaction in
            guard try transaction.insert(added, of: app, before: before, at: transaction.now) else {
                throw Failure.unavailable("The app's routes were changed just now; please try again.")
            }
        }
        caches.invalidate(app)
        return added
    }

    /// Enables or disables a route. A disabled route keeps its position and its path, and matches nothing.
    package func set(_ id: String, of app: App.ID, isEnabled: Bool) async throws {
        try await storage.write { transaction in
            guard try transaction.setRoute(id, of: app, isEnabled: isEnabled) else { throw Failure.noSuchRoute(id) }
        }
        caches.invalidate(app)
    }

    /// Returns a route of an app. Fails with `notFound`.
    package func route(_ id: String, of app: App.ID) async throws -> Route {
        guard let route = try await list(app).first(where: { $0.id == id }) else { throw Failure.noSuchRoute(id) }
        return route
    }

    package func remove(_ id: String, from app: App.ID) async throws {
        try await storage.write { transaction in
            guard try transaction.deleteRoute(id, of: app) else { throw Failure.noSuchRoute(id) }
        }
        caches.invalidate(app)
    }
}

extension RouteTable {
    /// The maximum number of routes per app: each is compared with the path of every link that is created or opens the app.
    package static let limit = 500
}

extension Route {
    /// Returns the routes for a registration string of WAAppRouting, such as `list{List}/:id{Detail}!`. Their ids count from `id`; without
    /// one they are numbered when they are added.
    ///
    /// Fails with `invalid` for a string that registers nothing, or that has an empty component, at which WAAppRouting stops reading.
    package static func registered(by registration: String, id: String?) throws -> [Route] {
        let components = registration.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !components.dropLast().contains(where: \.isEmpty) else {
            throw Failure.invalid(
                "'\(registration)' has an empty component, where WAAppRouting stops reading; "
                    + "components are parted by single slashes, with none in front.")
        }
        var routes: [Route]
        do {
            routes = try Route.routes(registering: registration, id: id ?? "")
        } catch {
            throw Failure(error)
        }
        guard !routes.isEmpty else {
            throw Failure.invalid(
                "'\(registration)' names no class; write one in braces behind its component, as in list{List}/:id{Detail}, "
                    + "or say the target.")
        }
        if id == nil { for index in routes.indices { routes[index].id = "" } }
        return routes
    }

    /// Whether two routes lead to the same screen by the same path.
    fileprivate func hasScreen(of other: Route) -> Bool {
        syntax == other.syntax && key == other.key && pattern == other.pattern && target == other.target
            && isModal == other.isModal
    }

    fileprivate func checkNames() throws {
        for (name, text) in [("id", id), ("target", target)] {
            guard text.unicodeScalars.count <= 255, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw Failure.invalid("A route's \(name) may have at most 255 characters and no control characters.")
            }
        }
        guard !defaults.keys.contains("") else { throw Failure.invalid("A route's defaults must each have a name.") }
        guard defaultsSize <= Self.largestDefaults else {
            throw Failure.invalid(
                "A route's defaults may have at most \(Self.largestDefaults) bytes, not \(defaultsSize). Each counts "
                    + "\(MemberSizes.valueBytes) bytes besides those of its JSON.")
        }
    }

    /// The most bytes of the defaults of a route, and of all of an app's, as ``MemberSizes`` counts them. All are read whenever the app is.
    private static let largestDefaults = 2 << 10
    fileprivate static let largestDefaultsOfApp = 64 << 10

    fileprivate var defaultsSize: Int { defaults.isEmpty ? 0 : JSONObject(defaults).size }
}

extension [Route] {
    /// Returns the routes with ids assigned, validated for insertion after the app's other routes.
    fileprivate func numbered(behind stored: [Route]) throws -> [Route] {
        guard stored.count + count <= RouteTable.limit else {
            throw Failure.invalid("An app may have at most \(RouteTable.limit) routes.")
        }
        let size = (stored + self).reduce(0) { $0 + $1.defaultsSize }
        guard size <= Route.largestDefaultsOfApp else {
            throw Failure.invalid(
                "The defaults of an app's routes may have at most \(Route.largestDefaultsOfApp) bytes in all, not \(size).")
        }
        var table = RouteTable(stored: stored)
        let taken = Set(stored.map(\.id))
        var number = stored.count
        for var route in self {
            while route.id.isEmpty {
                number += 1
                let id = String(number)
                if !taken.contains(id), !table.contains(id: id) { route.id = id }
            }
            try route.checkNames()
            do {
                try table.add(route)
            } catch {
                throw Failure(error)
            }
        }
        return Array(table.routes.suffix(count))
    }

    fileprivate func withoutRepeats(of stored: [Route]) -> [Route] {
        let stored = Dictionary(grouping: stored, by: \.pattern)
        return filter { route in !(stored[route.pattern] ?? []).contains { $0.hasScreen(of: route) } }
    }
}

extension Failure {
    fileprivate init(_ error: RouteSyntaxError) {
        let isTaken = [.duplicateID, .duplicatePath].contains(error.code)
        self.init(isTaken ? .conflict : .invalid, error.message + ".")
    }

    fileprivate static func noSuchRoute(_ id: String) -> Failure {
        .notFound("The app has no route '\(id)'.")
    }
}
