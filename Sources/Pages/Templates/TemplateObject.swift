import Mustache

/// A part of a page as a template reads it: its values by name, with all texts as HTML.
///
/// A type of its own, not a dictionary: the template library asks each object whether it has children, and for a generic type each such
/// question takes longer than the look-up. For the same reason a template names the members of parts that occur hundreds of times with a dot,
/// as in `{{#.cellHref}}`: they are not looked up in all parts around them.
package struct TemplateObject: MustacheParent {
    private var values: [String: Any] = [:]

    package init() {}

    package func child(named name: String) -> Any? { values[name] }

    /// Sets a value that has no texts, or only such that are HTML already.
    package mutating func setValue(_ name: String, _ value: Any?) { values[name] = value }

    /// Sets a text, which is escaped.
    package mutating func setText(_ name: String, _ text: String?) { values[name] = text?.htmlEscaped }

    /// Sets an object for each of some models.
    package mutating func setModels(_ name: String, _ models: [some TemplateModel]) { values[name] = models.map(\.templateObject) }
}

/// A model that occurs hundreds of times on a page, where reflection would take most of the page's time: it names its values itself.
package protocol TemplateModel {
    /// The properties by name, without those that are nil.
    var templateObject: TemplateObject { get }
}
