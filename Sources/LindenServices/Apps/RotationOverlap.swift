import LindenKernel

/// How long a replaced key or secret is accepted beside its successor: `30d`, `12h`, `0`, `forever`, or until a date or time.
package enum RotationOverlap: Sendable, Equatable {
    case lasting(Duration)
    case until(Timestamp)
    case forever

    /// The overlap of a secret, and of a key, unless another is given.
    package static let standardOfSecrets = "7d"
    package static let standardOfKeys = "forever"

    private static let rule = "a number of days or hours such as 30d or 12h, 0, forever, or a date or time such as 2027-01-31"

    /// - Throws: `invalid` for any other text.
    package init(_ text: String) throws {
        if text == "forever" {
            self = .forever
        } else if text == "0" {
            self = .lasting(.zero)
        } else if let match = text.wholeMatch(of: /([0-9]{1,4})([dh])/), let count = Int64(match.1) {
            self = .lasting(.seconds(count * (match.2 == "d" ? 86400 : 3600)))
        } else if let time = Timestamp(day: text) ?? Timestamp(iso8601: text) {
            self = .until(time)
        } else {
            throw Failure.invalid("The overlap must be \(Self.rule); not \"\(text)\".", at: "overlap")
        }
    }

    /// Whether the replaced key or secret expires immediately.
    package var isNone: Bool { self == .lasting(.zero) }

    /// Returns when the overlap ends; nil for never. Fails with `invalid` for a time in the past.
    func end(from now: Timestamp) throws -> Timestamp? {
        switch self {
        case .lasting(let duration): return now + duration
        case .until(let time):
            guard time > now else { throw Failure.invalid("The overlap must end in the future; 0 ends it now.", at: "overlap") }
            return time
        case .forever: return nil
        }
    }
}
