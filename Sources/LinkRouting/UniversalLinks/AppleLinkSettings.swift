/// How Apple's patterns are compared; nil where it is left to the next level. A component's own settings beat the app's
/// `defaults`, and those the domain's.
public struct AppleLinkSettings: Sendable, Hashable {
    /// Whether letter case matters; it does if nobody says otherwise.
    public var caseSensitive: Bool?
    /// Whether patterns are written in percent escapes, as URLs are; they are if nobody says otherwise. If not, the URL is
    /// decoded before it is compared.
    public var percentEncoded: Bool?

    public init(caseSensitive: Bool? = nil, percentEncoded: Bool? = nil) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// These settings, with those of the next level where these say nothing.
    public func over(_ weaker: AppleLinkSettings) -> AppleLinkSettings {
        AppleLinkSettings(
            caseSensitive: caseSensitive ?? weaker.caseSensitive, percentEncoded: percentEncoded ?? weaker.percentEncoded)
    }
}
