import Foundation

extension String {
    /// The text if it is ASCII, as all known names are; nil otherwise. Compare a client's names with known ones through it: Swift compares
    /// and hashes strings in a normal form, which is slow for thousands of names with combining marks.
    package var ifASCII: String? { areBytes(in: 0...0x7F) ? self : nil }

    /// Whether all bytes are in a range. A fifth of the time of `allSatisfy`, because it has no early exit and the compiler compares many
    /// bytes at once.
    package func areBytes(in range: ClosedRange<UInt8>) -> Bool {
        let (least, width) = (range.lowerBound, range.upperBound - range.lowerBound)
        let outside = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(0 as UInt8) { $0 | ($1 &- least > width ? 1 : 0) }
        }
        return outside.map { $0 == 0 } ?? utf8.allSatisfy(range.contains)
    }

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
