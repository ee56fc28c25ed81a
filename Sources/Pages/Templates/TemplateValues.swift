/// Converts a model to the dictionary that a template reads.
///
/// The template library would reflect a whole model for each name that it looks up, which costs more than the rest of a page. Here each
/// model is reflected once.
enum TemplateValues {
    /// - Parameter model: a struct; its properties are strings, numbers, booleans, dictionaries, structs, optionals or arrays of those.
    /// - Returns: the properties by name, without those that are nil.
    static func of(_ model: Any) -> [String: Any] {
        var values: [String: Any] = [:]
        for case (let name?, let property) in Mirror(reflecting: model).children { values[name] = value(property) }
        return values
    }

    private static func value(_ property: Any) -> Any? {
        // Strings have children of their own, which reflection would return.
        if property is String { return property }
        let mirror = Mirror(reflecting: property)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { value($0.value) }
        case .collection: mirror.children.compactMap { value($0.value) }
        case .struct where !mirror.children.isEmpty: of(property)
        default: property
        }
    }
}
