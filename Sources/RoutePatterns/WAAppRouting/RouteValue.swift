/// The value of a parameter as an app receives it: text or a number, the two kinds of WAAppRouting.
public enum RouteValue: Sendable, Hashable {
    case text(String)
    case integer(Int64)
    case decimal(Double)

    /// Parses a number with a decimal point, without separators or exponent, as the SDKs write it in an English locale; nil for any other
    /// text.
    public init?(number text: String) {
        if let integer = Int64(text) {
            self = .integer(integer)
        } else if text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let decimal = Double(text), decimal.isFinite {
            self = .decimal(decimal)
        } else {
            return nil
        }
    }

    /// The value as plain text.
    public var plainText: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        }
    }
}
