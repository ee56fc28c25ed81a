/// One row of an app's route table: URLs of this form lead to this place in the app.
public struct Route: Sendable, Hashable {
    public enum Syntax: String, Sendable, Hashable, CaseIterable {
        /// Filters of Roots-iOS and Roots-Android: `myscheme://*/user/{id}`.
        case roots
        /// Path patterns of WAAppRouting: `user/:id`.
        case waapp
    }

    public var id: String
    public var syntax: Syntax
    /// What a Roots filter is registered for; nil for WAAppRouting.
    public var key: AppLinkKey?
    public var pattern: String
    /// The screen, in the app's words.
    public var target: String
    public var isModal: Bool
    /// A route that is switched off keeps its place and matches nothing.
    public var isEnabled: Bool
    /// Parameters that hold where a URL says nothing else.
    public var defaults: [String: RouteValue]

    public init(
        id: String, syntax: Syntax, key: AppLinkKey? = nil, pattern: String, target: String, isModal: Bool = false,
        isEnabled: Bool = true, defaults: [String: RouteValue] = [:]
    ) {
        self.id = id
        self.syntax = syntax
        self.key = key
        self.pattern = pattern
        self.target = target
        self.isModal = isModal
        self.isEnabled = isEnabled
        self.defaults = defaults
    }

    /// The rows for a registration string of WAAppRouting, one for each component that has a class; ids count from 1 after the
    /// given one: `list-1`, `list-2`.
    public static func routes(registering registration: String, id: String) throws(RouteSyntaxError) -> [Route] {
        let shown = try WAAppEntity.entities(registering: registration).filter { $0.targetClass != nil }
        return shown.enumerated().map { index, entity in
            Route(
                id: "\(id)-\(index + 1)", syntax: .waapp, pattern: entity.path, target: entity.targetClass ?? "",
                isModal: entity.isModal)
        }
    }
}

/// The route that won, and its parameters.
public struct RouteMatch: Sendable, Hashable {
    public var route: Route
    /// What the pattern captured: as written with Roots, decoded with WAAppRouting.
    public var parameters: [String: String]
    /// The parameters over the route's defaults; with WAAppRouting the URL's query stands between them.
    public var merged: [String: RouteValue]

    public init(route: Route, parameters: [String: String], merged: [String: RouteValue]) {
        self.route = route
        self.parameters = parameters
        self.merged = merged
    }
}
