import LindenKernel
import LinkRouting

/// The members of link data and universal objects that describe content.
extension JSONObject {
    /// When the content expires (`$exp_date`); nil if it does not.
    package var contentEnd: Timestamp? { time("$exp_date") }

    /// A time in milliseconds since 1970; nil unless it is after 1970 and before the year 3000.
    package func time(_ key: String) -> Timestamp? {
        guard let milliseconds = self[key]?.scalarText.flatMap({ Int64($0) }), (1..<32_503_680_000_000).contains(milliseconds)
        else {
            return nil
        }
        return Timestamp(milliseconds: milliseconds)
    }
}
