import Foundation

/// A point in time in whole milliseconds since 1970, as stored and sent.
///
/// Public, because only public members are inlined in other targets.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let milliseconds: Int64

    @inlinable public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Whole seconds since 1970, the unit of `+click_timestamp`.
    package var seconds: Int64 { milliseconds / 1000 }

    /// Days since 1970-01-01 in UTC, the key of daily counters.
    @inlinable public var day: Int64 { milliseconds.flooredQuotient(Timestamp.millisecondsPerDay) }

    @inlinable public static var millisecondsPerDay: Int64 { 86_400_000 }

    /// ISO 8601 in UTC with milliseconds: `2026-11-21T08:30:00.000Z`.
    package var iso8601: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends ``iso8601`` as bytes, without creating a string, because exports write millions of timestamps.
    package func write(to output: inout [UInt8]) {
        writeSeconds(separator: "T", to: &output)
        let fraction = milliseconds % 1000
        output.append(UInt8(ascii: "."))
        output.appendDecimal(fraction < 0 ? fraction + 1000 : fraction, digits: 3)
        output.append(UInt8(ascii: "Z"))
    }

    /// Appends day and time in UTC, to the second: `2026-11-21T08:30:00`.
    package func writeSeconds(separator: Unicode.Scalar, to output: inout [UInt8]) {
        let (second, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var time = time_t(fraction < 0 ? second - 1 : second)
        var date = tm()
        gmtime_r(&time, &date)
        func write(_ number: Int32, digits: Int, then mark: Unicode.Scalar? = nil) {
            output.appendDecimal(Int64(number), digits: digits)
            if let mark { output.append(UInt8(ascii: mark)) }
        }
        write(date.tm_year + 1900, digits: 4, then: "-")
        write(date.tm_mon + 1, digits: 2, then: "-")
        write(date.tm_mday, digits: 2, then: separator)
        write(date.tm_hour, digits: 2, then: ":")
        write(date.tm_min, digits: 2, then: ":")
        write(date.tm_sec, digits: 2)
    }

    @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    @inlinable public static func + (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(milliseconds: left.milliseconds + right.wholeMilliseconds)
    }

    @inlinable public static func - (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(milliseconds: left.milliseconds - right.wholeMilliseconds)
    }
}

extension [UInt8] {
    /// Appends the last `digits` decimal digits of a non-negative number, with leading zeros.
    package mutating func appendDecimal(_ number: Int64, digits: Int) {
        var power: Int64 = 1
        for _ in 1..<digits { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}

extension Duration {
    @inlinable public var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// A source of the current time: the system's clock, or a test's.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension Timestamp {
    /// Rounds down to a multiple of a number of milliseconds since 1970. Earlier times are rounded down, too, not towards 1970.
    package func roundedDown(to length: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds.flooredQuotient(length) * length)
    }

    /// Rounds up to a multiple of a number of milliseconds since 1970.
    package func roundedUp(to length: Int64) -> Timestamp {
        Timestamp(milliseconds: (milliseconds + length - 1).flooredQuotient(length) * length)
    }
}

extension Int64 {
    /// Divides by a positive number and rounds down, where `/` rounds towards zero.
    @inlinable public func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
