import LindenKernel

/// A rate limit: a maximum per second, per minute and per hour, each optional.
///
/// Implemented by one token bucket per period, which starts full and refills evenly: `200/s 12000/min` allows a burst of 200 and then one
/// more every 5 ms, up to 12,000 in that minute.
package struct Rate: Sendable, Equatable {
    package enum Period: String, Sendable, CaseIterable {
        case second = "s"
        case minute = "min"
        case hour = "h"

        var nanoseconds: Int64 {
            switch self {
            case .second: 1_000_000_000
            case .minute: 60_000_000_000
            case .hour: 3_600_000_000_000
            }
        }
    }

    /// Nil for a period without a limit.
    private(set) var perSecond: Int64?
    private(set) var perMinute: Int64?
    private(set) var perHour: Int64?

    package init(perSecond: Int64? = nil, perMinute: Int64? = nil, perHour: Int64? = nil) {
        self.perSecond = perSecond
        self.perMinute = perMinute
        self.perHour = perHour
    }

    package static let unlimited = Rate()

    /// Parses the format of ``text``: `200/s 12000/min 300000/h`, or `off` for no limit. Fails with `invalid`.
    package init(_ text: String) throws {
        self.init()
        if text == "off" { return }
        for part in text.split(separator: " ") {
            let pieces = part.split(separator: "/", maxSplits: 1)
            guard pieces.count == 2, let count = Int64(pieces[0]), (1...1_000_000_000_000).contains(count),
                let period = Period(rawValue: String(pieces[1])), self[period] == nil
            else { throw Failure.invalid("must be one or more limits such as 200/s 12000/min 300000/h, or off") }
            self[period] = count
        }
        guard self != .unlimited else { throw Failure.invalid("must be limits such as 200/s 12000/min 300000/h, or off") }
    }

    package var text: String {
        let parts = Period.allCases.compactMap { period in self[period].map { "\($0)/\(period.rawValue)" } }
        return parts.isEmpty ? "off" : parts.joined(separator: " ")
    }

    /// Returns the rate multiplied by a factor.
    package func times(_ factor: Int64) -> Rate {
        Rate(
            perSecond: perSecond.map { $0 * factor }, perMinute: perMinute.map { $0 * factor }, perHour: perHour.map { $0 * factor }
        )
    }

    /// Returns the rate divided by a number, at least 1 a period.
    func divided(by divisor: Int64) -> Rate {
        var part = self
        for period in Period.allCases { part[period] = self[period].map { max($0 / divisor, 1) } }
        return part
    }

    /// Returns half the rate, but no less than another one, and no more than itself; unlimited if the other one is.
    func half(atLeast least: Rate) -> Rate {
        guard least != .unlimited else { return .unlimited }
        var half = self
        for period in Period.allCases {
            half[period] = self[period].map { whole in min(whole, max(whole / 2, least[period] ?? 1, 1)) }
        }
        return half
    }

    package private(set) subscript(period: Period) -> Int64? {
        get {
            switch period {
            case .second: perSecond
            case .minute: perMinute
            case .hour: perHour
            }
        }
        set {
            switch period {
            case .second: perSecond = newValue
            case .minute: perMinute = newValue
            case .hour: perHour = newValue
            }
        }
    }
}
