/// How large patterns and URLs may be.
///
/// Matching takes time in proportion to a pattern's weight times the length of the text, never more; these limits make that
/// product small, whoever wrote the pattern and whoever sends the URL.
public enum PatternLimits {
    /// Bytes of UTF-8 in a pattern as written. A longer one is refused when it is written, and matches nothing.
    public static let patternLength = 1_024
    /// Bytes of UTF-8 in a URL. A longer one matches nothing.
    public static let urlLength = 8_192
    /// The weight of a pattern once its variables are put in: roughly its characters, and each variable's values'.
    public static let weight = 4_096
}
