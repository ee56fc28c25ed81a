import Foundation
import Linden

/// Tells on a terminal how far long work is; says nothing where nobody looks.
struct ProgressMeter {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ cursor: ExportCursor) {
        guard isShown else { return }
        let width = 30
        let done = Int(cursor.progress * Double(width))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: width - done)
        write("\r[\(bar)] \(Int(cursor.progress * 100)) %, \(cursor.rows) rows")
    }

    func finish() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        var stderr = StandardError()
        stderr.write(text)
    }
}
