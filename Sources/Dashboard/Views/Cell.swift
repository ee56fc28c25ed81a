import LindenKernel
import Pages

/// A value of a table or of facts.
struct Cell: Sendable, Equatable {
    let cellText: String
    var cellHref: String?
    /// The time in ISO 8601 for `<time datetime>`.
    var cellTime: String?
    /// The same time in UTC, to the second. A script shows ``cellText`` in the viewer's zone.
    var cellUTC: String?
    var isNumeric = false
    var isCode = false
    /// A second, smaller line.
    var cellNote: String?
    /// A drawing after the text.
    var cellDrawing: Markup?
    var cellActions: [CellAction] = []
    var cellCheck: CellCheck?

    init(_ text: String, href: String? = nil, note: String? = nil) {
        cellText = text
        cellHref = href
        cellNote = note
    }

    static func number(_ number: Int64) -> Cell { figure(number.grouped) }

    /// A number as it is written.
    static func figure(_ text: String) -> Cell {
        var cell = Cell(text)
        cell.isNumeric = true
        return cell
    }

    static func actions(_ actions: [CellAction]) -> Cell {
        var cell = Cell("")
        cell.cellActions = actions
        return cell
    }

    static func code(_ text: String) -> Cell {
        var cell = Cell(text)
        cell.isCode = true
        return cell
    }

    /// A time in ISO 8601, UTC, shown to the minute unless there is another text.
    static func time(_ iso8601: String, as text: String? = nil) -> Cell {
        func shown(_ length: Int) -> String { iso8601.prefix(length).replacing("T", with: " ") + " UTC" }
        var cell = Cell(text ?? shown("2027-01-31T12:00".count))
        cell.cellTime = iso8601
        cell.cellUTC = shown("2027-01-31T12:00:00".count)
        return cell
    }
}

extension Cell: TemplateModel {
    var templateObject: TemplateObject {
        var object = TemplateObject()
        object.setText("cellText", cellText)
        object.setText("cellHref", cellHref)
        object.setText("cellTime", cellTime)
        object.setText("cellUTC", cellUTC)
        object.setValue("isNumeric", isNumeric)
        object.setValue("isCode", isCode)
        object.setText("cellNote", cellNote)
        object.setValue("cellDrawing", cellDrawing?.html)
        object.setValue("cellActions", cellActions.map(TemplateValues.of))
        object.setValue("cellCheck", cellCheck.map(TemplateValues.of))
        return object
    }
}

/// A button of a table's row that sends a form without fields.
struct CellAction: Sendable, Equatable {
    let actionPath: String
    let actionLabel: String
    /// What the button does and to what, for people who do not see its row.
    let actionDescription: String
}

/// A box in a cell by which its row is selected.
struct CellCheck: Sendable, Equatable {
    let checkName: String
    let checkValue: String
    let checkLabel: String
}

extension String {
    /// The beginning of a long text, for a list that may have a thousand.
    var shortened: String {
        let beginning = prefix(bytes: 200)
        return beginning.utf8.count < utf8.count ? beginning + "…" : self
    }
}
