/// A path of an app and the class that shows it.
public struct WAAppEntity: Sendable, Hashable {
    public var path: String
    /// The class that shows the path; nil for a path that is only a prefix of others.
    public var targetClass: String?
    /// The class below it in the navigation stack.
    public var sourceClass: String?
    public var isModal: Bool
    public var defaults: [String: RouteValue]
    /// The properties that typed parameters may set; nil for all.
    public var allowed: [String]?

    public init(
        path: String, targetClass: String?, sourceClass: String? = nil, isModal: Bool = false, defaults: [String: RouteValue] = [:],
        allowed: [String]? = nil
    ) {
        self.path = path
        self.targetClass = targetClass
        self.sourceClass = sourceClass
        self.isModal = isModal
        self.defaults = defaults
        self.allowed = allowed
    }
}
