/// A parameter as an app receives it: text or a number, the two kinds that WAAppRouting knows.
public enum RouteValue: Sendable, Hashable {
    case text(String)
    case integer(Int64)
    case decimal(Double)

    /// Reads a number as the SDKs of English speakers write it, without separators or exponent; nil for anything else.
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
