import Foundation

/// The standard error stream. Messages go here, so that the standard output holds only results.
struct StandardError: TextOutputStream {
    mutating func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
