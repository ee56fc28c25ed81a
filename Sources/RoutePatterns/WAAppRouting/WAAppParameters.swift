import LinkRouting

/// Typed parameters of WAAppRouting: the mapping of a URL's keys to properties of an app's object and their kinds. If a key changes, only
/// the mapping changes.
public struct WAAppParameters: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case number
        case text = "string"
    }

    public struct Mapping: Sendable, Hashable {
        /// The parameter's name in URLs.
        public var key: String
        public var property: String
        public var kind: Kind

        public init(key: String, property: String, kind: Kind) {
            self.key = key
            self.property = property
            self.kind = kind
        }
    }

    public var mappings: [Mapping]
    /// The properties that may be set, compared case-insensitively; nil for all.
    public var allowed: [String]?

    public init(_ mappings: [Mapping], allowed: [String]? = nil) {
        self.mappings = mappings
        self.allowed = allowed
    }

    /// Returns the properties: captured parameters override the query, which overrides the defaults. Text is percent-decoded; for captured
    /// parameters this is the second time, as in WAAppRouting. Text that is not a number does not override a number.
    public func merge(
        defaults: [String: RouteValue] = [:], query: [String: String], parameters: [String: String]
    ) -> [String: RouteValue] {
        var values = defaults
        for source in [query, parameters] {
            for mapping in mappings {
                if let text = source[mapping.key], let value = value(text, kind: mapping.kind) { values[mapping.property] = value }
            }
        }
        return values.filter { isAllowed($0.key) }
    }

    /// Returns a query that passes properties on to another screen: those on the white list that are set, in its order.
    public func query(_ values: [String: RouteValue], whiteList: [String]) -> String {
        let pairs = whiteList.compactMap { property -> String? in
            guard let value = values[property], let mapping = mappings.first(where: { $0.property == property }) else { return nil }
            return mapping.key + "=" + PercentCoding.encodeQueryValue(value.plainText)
        }
        return pairs.joined(separator: "&")
    }

    private func value(_ text: String, kind: Kind) -> RouteValue? {
        switch kind {
        case .number: RouteValue(number: text)
        case .text: .text(PercentCoding.decode(text))
        }
    }

    private func isAllowed(_ property: String) -> Bool {
        guard let allowed else { return true }
        let lower = property.lowercased()
        return allowed.contains { $0.lowercased() == lower }
    }
}
