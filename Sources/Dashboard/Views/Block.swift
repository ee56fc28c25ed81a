import Pages

/// A part of a page's content. Exactly one member is set, but for the name of a heading; the template `block` has a section for each.
struct Block: Sendable, Equatable {
    var heading: String?
    /// The name by which an address leads to the heading.
    var headingID: String?
    var paragraph: String?
    var notice: Notice?
    var address: Address?
    var cards: Cards?
    var figure: Figure?
    var table: Table?
    /// Small tables, side by side where the window is wide.
    var tables: Tables?
    var facts: Facts?
    var form: Form?
    /// A form with a preview of what it makes.
    var draft: DraftForm?
    var preview: LinkPreview?
    var filter: Form?
    var selection: Selection?
    var buttons: Buttons?
    var pager: Pager?
    var tabs: Tabs?
    var preformatted: Preformatted?
    var picture: Picture?
    var empty: EmptyState?
    var equivalents: Equivalents?
    var live: LiveTable?
    /// The sentence about the keys, which a script shows with a button to turn them off.
    var keys: String?

    static func heading(_ text: String) -> Block { Block(heading: text) }
    static func paragraph(_ text: String) -> Block { Block(paragraph: text) }

    static func problem(_ text: String) -> Block {
        Block(notice: Notice(noticeClass: "problem", noticeRole: "alert", message: text))
    }
    static func success(_ text: String) -> Block {
        Block(notice: Notice(noticeClass: "success", noticeRole: "status", message: text))
    }
    static func note(_ text: String) -> Block { Block(notice: Notice(noticeClass: "note", noticeRole: "note", message: text)) }

    static func cards(_ cards: [Card]) -> Block { Block(cards: Cards(cardList: cards)) }
    static func buttons(_ buttons: [Button]) -> Block { Block(buttons: Buttons(buttonList: buttons)) }
}

struct Notice: Sendable, Equatable {
    let noticeClass: String
    let noticeRole: String
    let message: String
}

/// An address that the page is about. A script adds a button that copies it.
struct Address: Sendable, Equatable {
    let addressHref: String
}

struct Cards: Sendable, Equatable {
    let cardList: [Card]
}

/// A figure with its change, and the address of more about it.
struct Card: Sendable, Equatable {
    let cardLabel: String
    let cardValue: String
    var cardChange: String?
    var cardHref: String?
    var isCurrent = false
}

/// A chart, and the same figures in a table that opens below it.
struct Figure: Sendable, Equatable {
    let svg: Markup
    var legend: [LegendEntry] = []
    var figureTable: Table?
}

struct LegendEntry: Sendable, Equatable {
    let swatch: String
    let legendLabel: String
}

struct Table: Sendable, Equatable {
    struct Column: Sendable, Equatable {
        let columnLabel: String
        var isNumber = false
    }

    struct Row: Sendable, Equatable, TemplateModel {
        let cells: [Cell]

        var templateObject: TemplateObject {
            var object = TemplateObject()
            object.setModels("cells", cells)
            return object
        }
    }

    let caption: String
    var columns: [Column]
    var rows: [Row]
    var isCaptionVisible = false

    init(_ caption: String, _ columns: [Column], _ rows: [[Cell]], isCaptionVisible: Bool = false) {
        self.caption = caption
        self.columns = columns
        self.rows = rows.map(Row.init)
        self.isCaptionVisible = isCaptionVisible
    }
}

struct Tables: Sendable, Equatable {
    let tableList: [Table]
}

/// A table whose rows can be selected, with the form that acts on them.
struct Selection: Sendable, Equatable {
    let selectionTable: Table
    let selectionForm: Form
}

struct Facts: Sendable, Equatable {
    struct Fact: Sendable, Equatable {
        let factName: String
        let factCells: [Cell]
    }

    let factList: [Fact]

    init(_ facts: [(name: String, cell: Cell)]) {
        factList = facts.map { Fact(factName: $0.name, factCells: [$0.cell]) }
    }
}

struct Buttons: Sendable, Equatable {
    let buttonList: [Button]
}

/// A link that looks like a button.
struct Button: Sendable, Equatable {
    let buttonLabel: String
    let buttonHref: String
    var isMain = false
}

/// Links to variants of a page, of which one is shown.
struct Tabs: Sendable, Equatable {
    struct Tab: Sendable, Equatable {
        let tabLabel: String
        let tabHref: String
        let isShown: Bool
    }

    let tabsLabel: String
    let tabList: [Tab]

    init(_ label: String, _ tabs: [(label: String, href: String, isShown: Bool)]) {
        tabsLabel = label
        tabList = tabs.map { Tab(tabLabel: $0.label, tabHref: $0.href, isShown: $0.isShown) }
    }
}

/// Links to the first and the next page of a list.
struct Pager: Sendable, Equatable {
    var firstHref: String?
    var nextHref: String?
}

struct Preformatted: Sendable, Equatable {
    let preSummary: String
    let preText: String
}

struct Picture: Sendable, Equatable {
    let pictureSource: String
    let pictureDescription: String
    var pictureNote: String?
    var isLarge = false
}

/// What is shown in place of an empty list: the next step.
struct EmptyState: Sendable, Equatable {
    let emptyTitle: String
    let emptyText: String
    var emptyCommand: String?
    var emptyHref: String?
    var emptyAction: String?
}

/// How the command line and HTTP show or do the same.
struct Equivalents: Sendable, Equatable {
    let command: String
    let call: String
}
