/// How the ids that Linden makes are written.
///
/// They have 18 digits, more than a floating-point number holds. A spreadsheet takes every number for one, and so does pandas where a column
/// has empty cells: ids are rounded to the nearest 128, and different ones become equal.
package enum ExportIDs: String, Sendable, CaseIterable {
    /// As they are on the wire: `846151029384756123`.
    case number
    /// As texts that no reader takes for numbers: `id:846151029384756123`.
    case text
}

extension ExportValue {
    /// An id as text; nothing stays nothing.
    var asTextID: ExportValue {
        switch self {
        case .text(let id): .text("id:" + id)
        case .integer(let id): .text("id:" + String(id))
        default: self
        }
    }
}
