/// A link's control parameters (`$` keys) and labels (`~channel`). Branch accepts booleans as JSON or as text, so every value is text here.
public struct ControlParameters: Sendable, Hashable {
    private var values: [String: String]

    var keys: some Collection<String> { values.keys }

    public init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// The value of a key such as `$fallback_url`; nil if it is missing or empty.
    public subscript(key: String) -> String? {
        guard let value = values[key], !value.isEmpty else { return nil }
        return value
    }

    /// Returns a boolean such as `$always_deeplink`: `true`, `1` and `yes` are true, any other text is false.
    public func flag(_ key: String, default standard: Bool) -> Bool {
        guard let value = self[key] else { return standard }
        return ["true", "1", "yes"].contains(value.switchWord)
    }

    /// Sets a key, overriding the link's value.
    public mutating func set(_ key: String, to value: String) {
        values[key] = value
    }

    mutating func remove(_ key: String) {
        values[key] = nil
    }

    /// The labels, which count with and without their tilde when appended to a link.
    private static let labels: Set<String> = ["campaign", "channel", "feature", "stage"]

    /// Returns the parameters overridden by those of a clicked link's query: appended values take precedence over stored ones. Names that
    /// are not ASCII have no effect on a visit and are left out.
    public func overridden(by query: [QueryItem]) -> ControlParameters {
        var result = self
        for item in query {
            guard let name = item.name.ifASCII else { continue }
            if name.hasPrefix("$") || name.hasPrefix("~") {
                result.values[name] = item.value
            } else if ControlParameters.labels.contains(name) {
                result.values["~" + name] = item.value
            }
        }
        return result
    }
}

extension String {
    /// The text in lower case if it is as short as the name of a state, such as `true` or `no`; empty for a longer one, which a link may have in
    /// its place, and which would be read with each visit.
    package var switchWord: String { utf8.count <= 5 ? lowercased() : "" }
}
