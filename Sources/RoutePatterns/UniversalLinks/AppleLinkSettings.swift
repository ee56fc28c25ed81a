/// Settings of the comparison with Apple's patterns; nil to inherit from the next level. A component's settings override the app's
/// `defaults`, which override the domain's.
public struct AppleLinkSettings: Sendable, Hashable {
    /// Whether letter case matters; true by default.
    public var caseSensitive: Bool?
    /// Whether patterns are percent-encoded like URLs; true by default. If false, the URL is decoded before it is compared.
    public var percentEncoded: Bool?

    public init(caseSensitive: Bool? = nil, percentEncoded: Bool? = nil) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// Returns these settings, with missing ones taken from the next level.
    public func over(_ weaker: AppleLinkSettings) -> AppleLinkSettings {
        AppleLinkSettings(
            caseSensitive: caseSensitive ?? weaker.caseSensitive, percentEncoded: percentEncoded ?? weaker.percentEncoded)
    }
}
