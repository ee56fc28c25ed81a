/// A row of an app's route table: maps URLs that match a pattern to a screen of the app.
public struct Route: Sendable, Hashable {
    public enum Syntax: String, Sendable, Hashable, CaseIterable {
        /// Filters of Roots-iOS and Roots-Android: `myscheme://*/user/{id}`.
        case roots
        /// Path patterns of WAAppRouting: `user/:id`.
        case waapp
    }

    public var id: String
    public var syntax: Syntax
    /// The App Links property of a Roots filter; nil for WAAppRouting.
    public var key: AppLinkKey?
    public var pattern: String
    /// The screen's name in the app.
    public var target: String
    public var isModal: Bool
    /// Whether the route matches at all; a disabled route keeps its place.
    public var isEnabled: Bool
    /// Values of parameters that a URL does not set.
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

    /// Returns the routes of a WAAppRouting registration string, one for each component with a class. Their ids are `id` with a number:
    /// `list-1`, `list-2`.
    public static func routes(registering registration: String, id: String) throws(RouteSyntaxError) -> [Route] {
        let shown = try WAAppEntity.entities(registering: registration).filter { $0.targetClass != nil }
        return shown.enumerated().map { index, entity in
            Route(
                id: "\(id)-\(index + 1)", syntax: .waapp, pattern: entity.path, target: entity.targetClass ?? "",
                isModal: entity.isModal)
        }
    }
}

/// The route that matched a URL, and its parameters.
public struct RouteMatch: Sendable, Hashable {
    public var route: Route
    /// The captured parameters: as written with Roots, decoded with WAAppRouting.
    public var parameters: [String: String]
    /// The captured parameters, which override the URL's query (WAAppRouting only), which overrides the route's defaults.
    public var merged: [String: RouteValue]

    public init(route: Route, parameters: [String: String], merged: [String: RouteValue]) {
        self.route = route
        self.parameters = parameters
        self.merged = merged
    }
}
