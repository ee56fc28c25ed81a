import Foundation

extension String {
    /// Whether the bytes of a word are in the text, as far as its first NUL. `contains` compares characters, which takes a hundred times as
    /// long in a long query.
    package func hasBytes(of word: StaticString) -> Bool {
        withCString { text in strstr(text, UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)) != nil }
    }
}
