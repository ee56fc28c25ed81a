import Foundation

/// A URL split at its separators, with its parts as written. Scans bytes, because `Character` would merge a separator with a combining
/// mark that follows it.
package struct URLScan {
    /// The scheme without its colon; empty if there is none.
    package let scheme: Substring
    /// The text between `//` and the next slash; nil if there is no `//`.
    package let authority: Substring?
    package let path: Substring
    /// The query without the question mark; nil if there is none.
    package let query: Substring?
    /// The fragment without the hash; nil if there is none.
    package let fragment: Substring?

    package init(_ url: String) {
        var rest = url[...].utf8
        fragment = rest.splitOff(after: UInt8(ascii: "#"))
        query = rest.splitOff(after: UInt8(ascii: "?"))
        if let colon = rest.firstPosition(of: UInt8(ascii: ":")), colon > rest.startIndex, rest[..<colon].allSatisfy(\.isOfScheme) {
            scheme = Substring(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        } else {
            scheme = ""
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstPosition(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Substring(rest[..<end])
            rest = rest[end...]
        } else {
            authority = nil
        }
        path = Substring(rest)
    }
}

extension Substring.UTF8View {
    /// Removes the first separator and the text after it; returns that text, or nil if there is no separator.
    package mutating func splitOff(after separator: UInt8) -> Substring? {
        guard let index = firstPosition(of: separator) else { return nil }
        let tail = self[self.index(after: index)...]
        self = self[..<index]
        return Substring(tail)
    }

    /// Returns the first position of a byte, in a fraction of the time of `firstIndex(of:)`, which makes an index for each byte that it passes.
    func firstPosition(of byte: UInt8) -> Index? {
        let offset: Int?? = withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(start)
        }
        guard let offset else { return firstIndex(of: byte) }
        return offset.map { index(startIndex, offsetBy: $0) }
    }
}

extension UInt8 {
    fileprivate var isOfScheme: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
