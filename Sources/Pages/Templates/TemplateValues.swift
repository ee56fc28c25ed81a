/// Converts a model to the object that a template reads, with all texts as HTML.
///
/// The template library's own escaping works on Swift's characters and leaves a special character that is joined with a mark, so the
/// template inserts the values as they are.
///
/// The template library would reflect a whole model for each name that it looks up, which costs more than the rest of a page. Here each
/// model is reflected once.
package enum TemplateValues {
    /// - Parameter model: a struct; its properties are strings, numbers, booleans, dictionaries, structs, optionals or arrays of those.
    /// - Returns: the properties by name, without those that are nil; texts are escaped, except those of ``generated`` and ``Markup``.
    package static func of(_ model: Any) -> TemplateObject {
        var object = TemplateObject()
        for case (let name?, let property) in Mirror(reflecting: model).children {
            if generated.contains(name), let text = property as? String {
                object.setValue(name, text)
            } else {
                object.setValue(name, value(property))
            }
        }
        return object
    }

    /// The names of properties that are HTML, CSS or JavaScript already.
    private static let generated: Set = ["brandStyle", "code", "script", "structuredData", "style"]

    private static func value(_ property: Any) -> Any? {
        // Strings have children of their own, which reflection would return.
        if let text = property as? String { return text.htmlEscaped }
        if let markup = property as? Markup { return markup.html }
        if let texts = property as? [String: String] { return texts.mapValues(\.htmlEscaped) }
        let mirror = Mirror(reflecting: property)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { value($0.value) }
        case .collection: mirror.children.compactMap { value($0.value) }
        case .struct where !mirror.children.isEmpty: (property as? any TemplateModel)?.templateObject ?? of(property)
        default: property
        }
    }
}

/// HTML or SVG that Linden generated, which a template inserts as it is.
package struct Markup: Sendable, Equatable {
    package let html: String

    package init(_ html: String) {
        self.html = html
    }
}
