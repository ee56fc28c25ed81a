import HTTPTypes

extension HTTPFields {
    /// Returns the value of a header; those of several of its name, joined by commas. Nil if there is none.
    ///
    /// The subscript returns the same, but takes ten times as long for a header that occurs once.
    func value(of name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return self[name] }
            value = field.value
        }
        return value
    }
}
