/// A section of an inspection page: a heading with a table of names and values.
package struct Facts: Sendable {
    package let heading: String
    package let rows: [(name: String, value: String)]

    package init(_ heading: String, _ rows: [(name: String, value: String)]) {
        self.heading = heading
        self.rows = rows
    }
}

extension Page {
    /// The inspection page of a link for operators, in English. Sections without rows are left out.
    package static func inspection(title: String, text: String? = nil, _ facts: [Facts]) -> Page {
        var model = PageModel(title: title, text: text, in: .english)
        model.sections = facts.filter { !$0.rows.isEmpty }.map { facts in
            PageModel.Section(
                heading: facts.heading, rows: facts.rows.map { PageModel.Section.Row(name: $0.name, value: $0.value) })
        }
        return Page(model)
    }
}
