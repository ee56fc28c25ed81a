import Linden
import LindenKernel
import LinkRouting

extension Table {
    /// The rows of an answer, one column for each member. A link's title, address and id share a cell; the days of a cohort have a column
    /// each.
    ///
    /// - Parameter scope: nil if links do not lead to their pages.
    static func analytics(_ rows: some Collection<JSONObject>, _ caption: String, _ scope: Scope?) -> Table {
        let first = rows.max { ($0["retained"]?.array?.count ?? 0) < ($1["retained"]?.array?.count ?? 0) } ?? [:]
        var columns: [Column] = []
        var cells: [(JSONObject) -> Cell] = []
        for name in first.keys {
            switch name {
            case "url", "title", "retention_rates": continue
            case "link":
                columns.append(Column(columnLabel: "Link"))
                cells.append { link($0, scope) }
            case "retained":
                for day in 0..<(first[name]?.array?.count ?? 0) {
                    columns.append(Column(columnLabel: "Day \(day)", isNumber: true))
                    cells.append { retained($0, day) }
                }
            default:
                let isNumber = rows.contains { $0[name]?.isNumber == true }
                columns.append(Column(columnLabel: heading(name), isNumber: isNumber))
                cells.append { cell($0[name], named: name, isNumber: isNumber) }
            }
        }
        return Table(caption, columns, rows.map { row in cells.map { $0(row) } }, isCaptionVisible: true)
    }

    /// A member's name as a heading, such as `Total count`.
    private static func heading(_ name: String) -> String {
        let words = name.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func cell(_ value: JSON?, named name: String, isNumber: Bool) -> Cell {
        guard isNumber else {
            let text = value?.scalarText ?? ""
            if name == "timestamp" { return Cell(String(text.prefix(16)).replacing("T00:00", with: "").replacing("T", with: " ")) }
            return Cell(text.isEmpty ? "(none)" : text)
        }
        if name.hasSuffix("_rate") { return .figure(percent(value)) }
        if name.contains("revenue") { return .amount(value) }
        if let number = value?.int64 { return .number(number) }
        return .figure(value?.scalarText ?? "")
    }

    private static func link(_ row: JSONObject, _ scope: Scope?) -> Cell {
        let (id, url, title) = (row["link"]?.string, row["url"]?.string, row["title"]?.string)
        var href: String?
        if let scope, let id, url != nil { href = PagePath.links(scope) + "/" + PercentCoding.encodeQueryValue(id) }
        return Cell(title ?? url ?? id ?? "(none)", href: href, note: title == nil ? nil : url)
    }

    private static func retained(_ row: JSONObject, _ day: Int) -> Cell {
        guard let counts = row["retained"]?.array, day < counts.count else { return .figure("") }
        var cell = Cell.figure(percent(row["retention_rates"]?.array?[day]))
        cell.cellNote = counts[day].int64?.grouped
        return cell
    }

    /// A ratio such as `0.3333` as `33.3 %`; empty for null.
    private static func percent(_ ratio: JSON?) -> String {
        guard let ratio = ratio?.scalarText.flatMap({ Double($0) }) else { return "" }
        let tenths = Int64(nearest: ratio * 1000)
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}

extension Cell {
    /// An amount of money, rounded to hundredths. The file has all digits.
    static func amount(_ value: JSON?) -> Cell {
        guard let amount = value?.scalarText.flatMap({ Double($0) }), abs(amount) < 1e15 else {
            return .figure(value?.scalarText ?? "")
        }
        return .figure(Int64(nearest: amount * 100).asHundredths)
    }
}

extension Int64 {
    /// A number of hundredths as a decimal, such as `1,234.05`.
    var asHundredths: String {
        let cents = magnitude % 100
        return (self < 0 ? "−" : "") + Int64(magnitude / 100).grouped + (cents < 10 ? ".0" : ".") + String(cents)
    }
}

extension JSON {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .decimal: true
        default: false
        }
    }
}
