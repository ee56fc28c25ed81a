import Foundation

extension Timestamp {
    /// Parses a time in ISO 8601: `2027-01-31T18:00:00Z`, also with a space for the T, with a fraction of a second, without seconds, and
    /// with any UTC offset for the Z. Nil for anything else, and for a time before 1970 or after 2999.
    ///
    /// - Parameter zone: the zone of a time without one; nil if the zone is required.
    package init?(iso8601 text: String, zone: TimeZone? = nil) {
        var scanner = TimeScanner(text)
        guard var components = scanner.day(), scanner.skip("T", " "), let hour = scanner.number(2, 0...23), scanner.skip(":"),
            let minute = scanner.number(2, 0...59)
        else { return nil }
        (components.hour, components.minute) = (hour, minute)
        guard let milliseconds = scanner.skip(":") ? scanner.secondMilliseconds() : 0, let zone = scanner.zone() ?? zone,
            scanner.isAtEnd, let date = Calendar.gregorian(in: zone).date(from: components), date.timeIntervalSince1970 >= 0
        else { return nil }
        self.init(milliseconds: Int64(date.timeIntervalSince1970) * 1000 + milliseconds)
    }

    /// Returns the zone of a time in ISO 8601: `-08:00` in `2027-01-31T18:00:00-08:00`. Nil for a time without one, and for anything else.
    package static func zone(iso8601 text: String) -> TimeZone? {
        guard let hour = text.firstIndex(where: { $0 == "T" || $0 == " " }),
            let mark = text[hour...].firstIndex(where: { "Z+-".contains($0) })
        else { return nil }
        var scanner = TimeScanner(String(text[mark...]))
        return scanner.zone()
    }

    /// Parses a day such as `2027-01-31` as its first moment in a zone. Nil for anything else, such as a 30th of February.
    package init?(day text: String, in zone: TimeZone = .gmt) {
        var scanner = TimeScanner(text)
        guard let components = scanner.day(), scanner.isAtEnd, let date = Calendar.gregorian(in: zone).date(from: components) else {
            return nil
        }
        self.init(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
    }
}

extension Calendar {
    package static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}

/// A scanner that consumes a text from its start. Marks, numbers and zones that do not match are not consumed.
private struct TimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ marks: Unicode.Scalar...) -> Bool {
        guard let first = rest.first, marks.contains(Unicode.Scalar(first)) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(Self.isDigit), let number = Int(Substring(text)), range.contains(number) else {
            return nil
        }
        rest = rest.dropFirst(digits)
        return number
    }

    mutating func day() -> DateComponents? {
        guard let year = number(4, 1970...2999), skip("-"), let month = number(2, 1...12), skip("-"), let day = number(2, 1...31)
        else {
            return nil
        }
        let components = DateComponents(year: year, month: month, day: day)
        return components.isValidDate(in: .gregorian(in: .gmt)) ? components : nil
    }

    /// Consumes a second (0 to 60, including leap seconds) with its fraction.
    mutating func secondMilliseconds() -> Int64? {
        guard let second = number(2, 0...60) else { return nil }
        guard skip(".", ",") else { return Int64(second) * 1000 }
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        guard let fraction = Int64(Substring(digits.prefix(3)) + String(repeating: "0", count: max(0, 3 - digits.count))),
            !digits.isEmpty
        else { return nil }
        return Int64(second) * 1000 + fraction
    }

    mutating func zone() -> TimeZone? {
        var ahead = self
        if ahead.skip("Z") {
            self = ahead
            return .gmt
        }
        let isWest = ahead.rest.first == UInt8(ascii: "-")
        guard ahead.skip("+", "-"), let hours = ahead.number(2, 0...18) else { return nil }
        var seconds = hours * 3600
        if !ahead.isAtEnd {
            _ = ahead.skip(":")
            guard let minutes = ahead.number(2, 0...59) else { return nil }
            seconds += minutes * 60
        }
        guard let zone = TimeZone(secondsFromGMT: isWest ? -seconds : seconds) else { return nil }
        self = ahead
        return zone
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
