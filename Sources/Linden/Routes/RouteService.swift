import LinkRouting

/// Registers, lists, switches and removes the routes of an app. They hold for its live and its test side.
package struct RouteService: Sendable {
    private let storage: any Storage
    private let directory: AppDirectory
    private let links: LinkDirectory

    package init(storage: any Storage, directory: AppDirectory, links: LinkDirectory) {
        self.storage = storage
        self.directory = directory
        self.links = links
    }

    /// The routes in the order in which they are asked.
    package func list(_ app: App.ID) async throws -> [Route] {
        try await storage.read { try $0.routes(of: app) }
    }

    /// Adds routes behind the app's others or before one of them, all or none. One with an empty id gets a number for its id.
    ///
    /// Fails with `invalid` for a route that could not match and with `conflict` for an id or a path that the app has already.
    /// - Parameter ignoringRepeats: leaves out what leads to the same screen as the app's route for the same path, as
    ///   WAAppRouting does with the strings that it registers.
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
        forget()
        return added
    }

    /// Switches a route on or off. A route that is off keeps its place and its path and matches nothing.
    package func set(_ id: String, of app: App.ID, isEnabled: Bool) async throws {
        try await storage.write { transaction in
            guard try transaction.setRoute(id, of: app, isEnabled: isEnabled) else { throw Failure.noSuchRoute(id) }
        }
        forget()
    }

    /// A route of an app. Fails with `notFound`.
    package func route(_ id: String, of app: App.ID) async throws -> Route {
        guard let route = try await list(app).first(where: { $0.id == id }) else { throw Failure.noSuchRoute(id) }
        return route
    }

    package func remove(_ id: String, from app: App.ID) async throws {
        try await storage.write { transaction in
            guard try transaction.deleteRoute(id, of: app) else { throw Failure.noSuchRoute(id) }
        }
        forget()
    }

    /// Apps carry their routes in memory, and links their app.
    private func forget() {
        directory.forget()
        links.forget()
    }
}

extension RouteTable {
    /// How many routes an app may have: each is compared with the path of every link that is made or opens the app.
    package static let limit = 500
}

extension Route {
    /// The routes for a registration string of WAAppRouting, such as `list{List}/:id{Detail}!`; numbered when they are added unless
    /// they are given an id to count from.
    ///
    /// Fails with `invalid` for a string that registers nothing, or less than it seems to.
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

    /// Whether two routes lead to one screen by one path.
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
    }
}

extension [Route] {
    /// The same routes, each with an id, fit to come behind others of their app.
    fileprivate func numbered(behind stored: [Route]) throws -> [Route] {
        guard stored.count + count <= RouteTable.limit else {
            throw Failure.invalid("An app may have at most \(RouteTable.limit) routes.")
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
        .notFound("The app has no route '\(id)'; linden routes list names those it has.")
    }
}
