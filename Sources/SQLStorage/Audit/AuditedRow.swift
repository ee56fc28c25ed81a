import Linden
import LindenKernel

/// A row of an audited table at one time.
struct AuditedRow {
    private struct Value {
        let name: String
        let kind: AuditedTable.Column.Kind
        /// Nil for NULL.
        let text: String?
    }

    let subject: String?
    let app: App.ID?
    let mode: Mode?
    let identity: Identity.ID?
    private let values: [Value]

    /// The longest value and the most bytes of an entry's values. What is beyond is left out, with a mark.
    private static let longestValue = 1000
    private static let mostBytes = 10_000
    private static let omission = "Further values are left out."
    /// In bytes. A longer object is shown as text: others wait for this transaction.
    private static let longestObject = 16 << 10

    /// The columns that ``init(row:of:)`` decodes.
    static func selection(of table: AuditedTable) -> String {
        let key = [table.subject ?? "NULL", table.app, table.mode, table.identity ?? "NULL"]
        return (key + table.columns.map(\.sql)).joined(separator: ", ")
    }

    init(row: any SQLRow, of table: AuditedTable) {
        subject = row.optionalText(0)
        app = row.optionalID(1)
        mode = row.optionalInteger(2).flatMap(Mode.init(rawValue:))
        identity = row.optionalID(3)
        values = table.columns.enumerated().map { index, column in
            Value(name: column.name, kind: column.kind, text: Self.text(row, index + 4, column.kind))
        }
    }

    /// A hidden value may be bytes, which are compared and not shown.
    private static func text(_ row: any SQLRow, _ index: Int, _ kind: AuditedTable.Column.Kind) -> String? {
        guard case .hidden = kind, !row.isNull(index) else { return row.optionalText(index) }
        return "\(row.blob(index))"
    }

    /// Whether a column is not NULL.
    func has(_ column: String) -> Bool { values.contains { $0.name == column && $0.text != nil } }

    /// Returns the values that differ between two states of a row; those of a missing state are empty.
    static func difference(_ before: AuditedRow?, _ after: AuditedRow?) -> (before: JSONObject, after: JSONObject) {
        let (old, new) = (before?.values ?? [], after?.values ?? [])
        var (left, right, bytes): (JSONObject, JSONObject, Int) = ([:], [:], 0)
        func add(_ name: String, _ former: JSON?, _ current: JSON?) {
            guard bytes <= mostBytes else { return }
            bytes += 2 * name.utf8.count + (former?.text.utf8.count ?? 0) + (current?.text.utf8.count ?? 0)
            let isLast = bytes > mostBytes
            if before != nil { left[isLast ? "…" : name] = isLast ? .string(omission) : former ?? .null }
            if after != nil { right[isLast ? "…" : name] = isLast ? .string(omission) : current ?? .null }
        }
        for index in 0..<max(old.count, new.count) {
            let (former, current) = (old.indices.contains(index) ? old[index] : nil, new.indices.contains(index) ? new[index] : nil)
            guard !(former?.text).hasSameBytes(as: current?.text), let name = (former ?? current)?.name else { continue }
            if case .object? = (former ?? current)?.kind, let was = object(former), let now = object(current) {
                for (key, value) in was where now[key] != value {
                    add("\(name).\(cut(key))", shortened(value), now[key].map(shortened))
                }
                for (key, value) in now where was[key] == nil { add("\(name).\(cut(key))", nil, shortened(value)) }
            } else {
                add(name, former.flatMap(shown), current.flatMap(shown))
            }
        }
        return (left, right)
    }

    private static func object(_ value: Value?) -> JSONObject? {
        guard let text = value?.text else { return [:] }
        guard text.utf8.count <= longestObject else { return nil }
        return (try? JSON.parse(text))?.object
    }

    private static func shown(_ value: Value) -> JSON? {
        guard let text = value.text else { return nil }
        switch value.kind {
        case .number: return Int64(text).map(JSON.integer) ?? .string(text)
        case .flag: return .bool(text != "0")
        case .time: return Int64(text).map { .string(Timestamp(milliseconds: $0).iso8601) } ?? .string(text)
        case .hidden: return "(hidden)"
        case .text, .object: return .string(cut(text))
        }
    }

    /// Returns a value of an object; a long one as text that is cut.
    private static func shortened(_ value: JSON) -> JSON {
        switch value {
        case .null, .bool, .integer: return value
        case .string(let text), .decimal(let text): return text.utf8.count <= longestValue ? value : .string(cut(text))
        case .array, .object:
            let text = value.text
            return text.utf8.count <= longestValue ? value : .string(cut(text))
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longestValue ? text : text.prefix(bytes: longestValue) + "…"
    }
}
