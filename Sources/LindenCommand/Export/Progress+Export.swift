import LindenKernel
import LindenReporting

extension Progress {
    func show(_ cursor: ExportCursor) {
        let width = 30
        let done = Int(cursor.progress * Double(width))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: width - done)
        let reached = cursor.reached.map { ", up to " + $0.iso8601.prefix(10) } ?? ""
        show("[\(bar)] \(Int(cursor.progress * 100)) %, \(cursor.rows) rows" + reached)
    }
}
