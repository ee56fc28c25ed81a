/// A part of a page that lists what is known: names and values.
package struct Facts: Sendable {
    package let heading: String
    package let rows: [(name: String, value: String)]

    package init(_ heading: String, _ rows: [(name: String, value: String)]) {
        self.heading = heading
        self.rows = rows
    }
}

extension Page {
    /// What an operator sees of a link, in English.
    package static func inspection(title: String, text: String? = nil, _ facts: [Facts]) -> Page {
        var model = PageModel(title: title, text: text, in: .english)
        model.sections = facts.filter { !$0.rows.isEmpty }.map { facts in
            PageModel.Section(
                heading: facts.heading, rows: facts.rows.map { PageModel.Section.Row(name: $0.name, value: $0.value) })
        }
        return Page(model)
    }
}
