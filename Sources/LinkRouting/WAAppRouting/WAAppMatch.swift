/// What WAAppRouting does with a URL.
public struct WAAppMatch: Sendable, Hashable {
    /// The path the parameters come from: the entity's, else the block's.
    public var path: String
    /// Runs first.
    public var block: String?
    /// Shown then, unless it is switched off.
    public var entity: WAAppEntity?
    /// The classes to show, the last one on top; empty when nothing is shown.
    public var stack: [String]
    /// Whether the URL counts as handled: by the entity if there is one, though a block may have run all the same.
    public var isHandled: Bool
    /// What the pattern captured.
    public var parameters: [String: String]
    public var query: [String: String]

    /// Everything in one: the entity's defaults, over them the query, over them what the pattern captured.
    public var merged: [String: RouteValue] {
        (entity?.defaults ?? [:]).overridden(by: query).overridden(by: parameters)
    }

    /// One parameter: what the pattern captured, else the query; never a default.
    public subscript(key: String) -> String? {
        parameters[key] ?? query[key]
    }

    /// Whether the last class is presented modally.
    public var isModal: Bool { entity?.isModal ?? false }
}

extension [String: RouteValue] {
    /// The same values under those of a stronger source.
    func overridden(by stronger: [String: String]) -> [String: RouteValue] {
        merging(stronger.mapValues(RouteValue.text)) { _, strong in strong }
    }
}
