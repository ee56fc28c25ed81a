import LindenKernel

/// A form. After a failed attempt it has the values that were typed, and the message at its field.
struct Form: Sendable, Equatable {
    let action: String
    let method: String
    var fields: [Field]
    let submitLabel: String
    var isDangerous = false
    /// Whether the form has a file.
    var isUpload = false
    var cancelHref: String?
    /// Where a second button sends the fields for a preview of what the form makes; nil for a form without one.
    var previewHref: String?

    init(
        _ action: String, method: String = "post", submit: String, isDangerous: Bool = false, cancel: String? = nil,
        _ fields: [Field]
    ) {
        self.action = action
        self.method = method
        self.fields = fields
        submitLabel = submit
        self.isDangerous = isDangerous
        cancelHref = cancel
    }

    /// Returns the form with other ids of its elements, for a page with several forms that have fields of the same names.
    func withIDs(of prefix: String) -> Form {
        var form = self
        for index in form.fields.indices { form.fields[index].setID(prefix + "-" + form.fields[index].name) }
        return form
    }

    /// Returns the form with a message at a field.
    func saying(_ message: String, at name: String) -> Form {
        var form = self
        for index in form.fields.indices where form.fields[index].name == name { form.fields[index].say(message) }
        return form
    }

    /// Returns the form with the message of a failure at each of its fields, or at the one whose name the message begins with, such as
    /// `alias must not be empty.`; nil if the form shows no such field.
    func saying(_ failure: Failure) -> Form? {
        let message = failure.message
        let subjects = failure.fields.isEmpty ? [String(message.prefix { $0 != " " && $0 != ":" })] : failure.fields
        let shown = subjects.filter { name in fields.contains { $0.name == name && !$0.isHidden } }
        return shown.isEmpty ? nil : shown.reduce(self) { $0.saying(message, at: $1) }
    }
}

/// A field of a form: an input, a choice or a hidden value.
struct Field: Sendable, Equatable {
    struct Choice: Sendable, Equatable {
        let choiceValue: String
        let choiceLabel: String
        let isSelected: Bool
    }

    struct Input: Sendable, Equatable {
        let inputType: String
        var autocomplete: String?
        var isRequired = false
        var hasFocus = false
    }

    let name: String
    /// The part of the ids of the field's elements that is its own on the page: the name, unless two forms have it.
    private(set) var fieldID: String
    let label: String
    let value: String
    var input: Input?
    var choices: [Choice] = []
    var hasChoices = false
    /// Values that an input offers; any other can be typed.
    private(set) var suggestions: [String] = []
    private(set) var hasSuggestions = false
    var isHidden = false
    /// Whether the label is the heading of the fields that follow.
    var isHeading = false
    var hint: String?
    var fault: String?
    /// The ids of the elements that describe the field.
    var describedBy: String?

    private init(_ name: String, _ label: String, _ value: String, hint: String? = nil) {
        self.name = name
        fieldID = name
        self.label = label
        self.value = value
        self.hint = hint
        if hint != nil { describedBy = "hint-" + name }
    }

    static func text(
        _ name: String, _ label: String, _ value: String = "", type: String = "text", hint: String? = nil,
        autocomplete: String? = "off", isRequired: Bool = false, hasFocus: Bool = false
    ) -> Field {
        var field = Field(name, label, value, hint: hint)
        field.input = Input(
            inputType: type, autocomplete: autocomplete, isRequired: isRequired, hasFocus: hasFocus)
        return field
    }

    /// Returns an input with values that it offers.
    func offering(_ values: [String]) -> Field {
        var field = self
        field.suggestions = values
        field.hasSuggestions = !values.isEmpty
        return field
    }

    static func heading(_ text: String) -> Field {
        var field = Field("", text, "")
        field.isHeading = true
        return field
    }

    static func hidden(_ name: String, _ value: String) -> Field {
        var field = Field(name, "", value)
        field.isHidden = true
        return field
    }

    static func choice(
        _ name: String, _ label: String, _ value: String, _ choices: [(value: String, label: String)], hint: String? = nil
    ) -> Field {
        var field = Field(name, label, value, hint: hint)
        field.hasChoices = true
        field.choices = choices.map { Choice(choiceValue: $0.value, choiceLabel: $0.label, isSelected: $0.value == value) }
        return field
    }

    fileprivate mutating func setID(_ id: String) {
        fieldID = id
        if hint != nil { describedBy = "hint-" + id }
    }

    fileprivate mutating func say(_ message: String) {
        fault = message
        describedBy = [describedBy, "fault-" + fieldID].compactMap { $0 }.joined(separator: " ")
    }
}
