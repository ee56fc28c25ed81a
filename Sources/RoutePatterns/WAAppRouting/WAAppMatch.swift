/// The actions of WAAppRouting for a URL.
public struct WAAppMatch: Sendable, Hashable {
    /// The path whose pattern captured the parameters: the entity's, else the block's.
    public var path: String
    /// The name of the block, which runs first.
    public var block: String?
    /// The entity, shown after the block unless it is disabled.
    public var entity: WAAppEntity?
    /// The classes to show, top of the navigation stack last; empty if nothing is shown.
    public var stack: [String]
    /// Whether the URL counts as handled. If an entity matches, it must be enabled and have a class, even if a block has run; a block alone
    /// handles the URL.
    public var isHandled: Bool
    /// The captured parameters.
    public var parameters: [String: String]
    public var query: [String: String]

    /// All values: captured parameters override the query, which overrides the entity's defaults.
    public var merged: [String: RouteValue] {
        (entity?.defaults ?? [:]).overridden(by: query).overridden(by: parameters)
    }

    /// Returns a captured parameter, else the query's value; never a default.
    public subscript(key: String) -> String? {
        parameters[key] ?? query[key]
    }

    /// Whether the last class is presented modally.
    public var isModal: Bool { entity?.isModal ?? false }
}

extension [String: RouteValue] {
    /// Returns the values overridden by those of another source.
    func overridden(by stronger: [String: String]) -> [String: RouteValue] {
        merging(stronger.mapValues(RouteValue.text)) { _, strong in strong }
    }
}
