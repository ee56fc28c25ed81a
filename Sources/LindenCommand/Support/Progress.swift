import Foundation

/// A progress line on standard error, overwritten in place. Prints nothing if standard error is not a terminal.
struct Progress: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        write("\r\u{1B}[K" + text)
    }

    func clear() {
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        guard isShown else { return }
        var stderr = StandardError()
        print(text, terminator: "", to: &stderr)
    }
}
