import LindenKernel

/// When an access token is refused: after `90d` or `12h`, from a date or time, or `never`.
package enum TokenExpiry: Sendable {
    case never
    case after(Duration)
    case at(Timestamp)

    private static let rule =
        "never, a number of days or hours such as 90d or 12h, or a date or time in the future such as 2027-01-31"

    /// - Throws: `invalid` for any other text.
    package init(_ text: String) throws {
        if text == "never" {
            self = .never
        } else if let match = text.wholeMatch(of: /([0-9]{1,4})([dh])/), let count = Int64(match.1), count > 0 {
            self = .after(.seconds(count * (match.2 == "d" ? 86400 : 3600)))
        } else if let time = Timestamp(day: text) ?? Timestamp(iso8601: text) {
            self = .at(time)
        } else {
            throw Failure.invalid("expires must be \(Self.rule); not \"\(text)\".")
        }
    }

    /// Fails with `invalid` for a time that is not in the future.
    func time(from now: Timestamp) throws -> Timestamp? {
        switch self {
        case .never: return nil
        case .after(let duration): return now + duration
        case .at(let time):
            guard time > now else { throw Failure.invalid("expires must be \(Self.rule); not \(time.iso8601).") }
            return time
        }
    }
}
