import Foundation
import LindenKernel

/// The form of times in columns whose names end in `_iso`.
package enum ExportTimes: Sendable, Equatable {
    /// The form of Branch's exports: `2027-01-31 18:00:00+0000`. A zone of nil is UTC.
    case branch(in: TimeZone?)
    /// ISO 8601 in UTC with milliseconds: `2027-01-31T18:00:00.123Z`.
    case iso8601

    func write(_ time: Timestamp, to output: inout [UInt8]) {
        guard case .branch(let zone) = self else { return time.write(to: &output) }
        let offset = zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)) ?? 0
        (time + .seconds(offset)).writeSeconds(separator: " ", to: &output)
        output.append(UInt8(ascii: offset < 0 ? "-" : "+"))
        output.appendDecimal(Int64(abs(offset) / 3600), digits: 2)
        output.appendDecimal(Int64(abs(offset) / 60 % 60), digits: 2)
    }
}
