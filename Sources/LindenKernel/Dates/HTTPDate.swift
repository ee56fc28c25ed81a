import Foundation
import Synchronization

/// The `Date` of a response, such as `Sat, 21 Nov 2026 08:30:00 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The current time, formatted once a second.
    package static var now: String {
        let second = WallClock.system.now().milliseconds / 1000
        return last.withLock { last in
            if last.second != second { last = (second, text(second)) }
            return last.text
        }
    }

    private static let last = Mutex<(second: Int64, text: String)>((0, ""))

    package static func text(_ second: Int64) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(second))
        let parts = gregorian.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(weekdays[(parts.weekday ?? 1) - 1]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }

    private static let gregorian: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
