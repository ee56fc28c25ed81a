import Foundation
import Linden
import LindenKernel
import LindenServices

/// A CSV file of exchange rates: `date,currency,rate`, or `currency,rate` for rates that hold from one day on. A first line may name the
/// columns, in any order. Blank lines and lines that begin with # are skipped.
enum RatesFile {
    private enum Column: String {
        case date, currency, rate
    }

    /// Reads a file. Fails with one line that names the file, the line and the allowed values.
    ///
    /// - Parameters:
    ///   - base: the currency that the rates are relative to.
    ///   - day: the first day of rates without a date.
    static func rates(_ path: String, base: Currency, day: Int64) throws -> [ExchangeRate] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unusable("The file of rates \(path) cannot be read.")
        }
        guard var text = String(bytes: data, encoding: .utf8) else { throw Failure.unusable("\(path) is not text in UTF-8.") }
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        var columns: [Column]?
        var rates: [ExchangeRate] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(cell)
            guard cells != [""], !line.hasPrefix("#") else { continue }
            if columns == nil {
                columns = try header(cells) ?? standard(cells.count, path)
                if header(cells) != nil { continue }
            }
            do {
                if let rate = try rate(cells, columns ?? [], base, day) { rates.append(rate) }
            } catch let failure as Failure {
                throw Failure.unusable("\(path), line \(index + 1): \(failure.message)")
            }
        }
        guard !rates.isEmpty else { throw Failure.unusable("\(path) has no rates: it needs lines such as 2027-01-31,EUR,0.92.") }
        return rates
    }

    private static func cell(_ text: Substring) -> String {
        var cell = text.trimmingCharacters(in: .whitespaces)
        if cell.count >= 2, cell.hasPrefix("\""), cell.hasSuffix("\"") { cell = String(cell.dropFirst().dropLast()) }
        return cell
    }

    /// Returns the columns that a header line names; nil for a line of values.
    private static func header(_ cells: [String]) -> [Column]? {
        let columns = cells.compactMap { Column(rawValue: $0.lowercased()) }
        let isWhole = columns.count == cells.count && Set(columns).count == columns.count
        return isWhole && columns.contains(.currency) && columns.contains(.rate) ? columns : nil
    }

    private static func standard(_ count: Int, _ path: String) throws -> [Column] {
        switch count {
        case 2: return [.currency, .rate]
        case 3: return [.date, .currency, .rate]
        default: throw Failure.unusable("\(path) must have the columns date,currency,rate or currency,rate, not \(count) columns.")
        }
    }

    /// Parses a line. Returns nil for the base currency itself, whose rate must be 1.
    private static func rate(_ cells: [String], _ columns: [Column], _ base: Currency, _ standardDay: Int64) throws -> ExchangeRate?
    {
        guard cells.count == columns.count else {
            throw Failure.unusable("It must have \(columns.count) columns (\(columns.map(\.rawValue).joined(separator: ","))).")
        }
        let values = Dictionary(uniqueKeysWithValues: zip(columns, cells))
        var day = standardDay
        if let date = values[.date] {
            guard let named = Day(date)?.number else {
                throw Failure.unusable("date must be a day such as 2027-01-31, not \"\(date)\".")
            }
            day = named
        }
        return try ExchangeRate.read(values[.currency] ?? "", values[.rate] ?? "", base: base, day: day)
    }
}
