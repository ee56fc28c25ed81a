/// Limits of the size of patterns and URLs.
///
/// Matching takes time proportional to a pattern's weight times the text's length; the limits bound that product, although patterns and
/// URLs are untrusted.
public enum PatternLimits {
    /// The maximum length of a pattern in bytes of UTF-8. A longer one is rejected when it is written, and matches nothing.
    public static let patternLength = 1_024
    /// The maximum length of a URL in bytes of UTF-8. A longer one matches nothing.
    public static let urlLength = 8_192
    /// The maximum weight of a pattern with its variables expanded: roughly its characters plus those of each variable's values, of which
    /// plain words of equal length count once.
    public static let weight = 4_096
    /// The maximum weight of all rules of an association file: of their patterns, and 16 for each rule.
    public static let rulesWeight = 262_144
}
