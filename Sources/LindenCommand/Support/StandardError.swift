import Foundation

/// The standard error stream, where messages go so that the standard output holds only answers.
struct StandardError: TextOutputStream {
    mutating func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
