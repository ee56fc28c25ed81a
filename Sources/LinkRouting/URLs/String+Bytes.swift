import Foundation

extension String {
    /// The text if it is ASCII, as all known names are; nil otherwise. Compare a client's names with known ones through it: Swift compares
    /// and hashes strings in a normal form, which is slow for thousands of names with combining marks.
    package var ifASCII: String? { utf8.allSatisfy { $0 < 0x80 } ? self : nil }

    /// Whether the text contains the bytes of a word before its first NUL. A hundred times as fast as `contains`, which compares
    /// characters, in a long query.
    package func hasBytes(of word: StaticString) -> Bool {
        withCString { text in strstr(text, UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)) != nil }
    }
}

extension [UInt8] {
    /// Whether the bytes of a word occur in this array.
    package func hasBytes(of word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let start = rest.firstIndex(of: word[0]) {
                rest = rest[start...]
                if rest.starts(with: word) { return true }
                rest.removeFirst()
            }
            return false
        }
    }
}
