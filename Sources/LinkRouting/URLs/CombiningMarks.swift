/// The limit on runs of combining marks: 30, as in the stream-safe text format of Unicode (UAX #15). Marks are counted in their canonical
/// decomposition.
///
/// Swift compares and hashes strings in a normal form, for which each run of marks is sorted by insertion: a run of 60,000 marks takes
/// seconds. Strings within the limit take linear time.
package enum CombiningMarks {
    package static let longestRun = 30

    /// Returns whether a text has more than ``longestRun`` combining marks in a row. One pass; short and ASCII texts are not decoded.
    package static func hasLongRun(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { mayHaveLongRun($0) } && exceedsLimit(text)
    }

    /// Returns whether a text has such a run once its percent escapes are decoded.
    package static func hasLongRun(percentEncoded text: String) -> Bool {
        var text = text
        return text.withUTF8 { mayHaveLongRun(percentEncoded: $0) } && exceedsLimit(PercentCoding.decodeWhole(text))
    }

    /// Returns a text without the marks of each run that exceed ``longestRun``.
    package static func cut(_ text: String) -> String {
        guard hasLongRun(text) else { return text }
        var kept = String.UnicodeScalarView()
        var run = 0
        for scalar in text.unicodeScalars {
            let marks = marks(in: scalar)
            run = marks == 0 ? 0 : run + marks
            if run <= longestRun { kept.append(scalar) }
        }
        return String(kept)
    }

    private static func exceedsLimit(_ text: String) -> Bool {
        var run = 0
        for scalar in text.unicodeScalars {
            let marks = marks(in: scalar)
            run = marks == 0 ? 0 : run + marks
            if run > longestRun { return true }
        }
        return false
    }

    /// The lowest first byte of a mark in UTF-8: the first mark is U+0300. A scalar has at most as many marks as bytes.
    private static let lowestByte: UInt8 = 0xCC

    /// Has no early exit, so that the compiler can compare many bytes at once.
    private static func mayHaveLongRun(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > longestRun else { return false }
        var highest: UInt8 = 0
        for byte in bytes { highest = max(highest, byte) }
        return highest >= lowestByte
    }

    /// The first loop works as in `mayHaveLongRun(_:)`; the second one stops at the first escape of a mark.
    private static func mayHaveLongRun(percentEncoded bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > longestRun else { return false }
        var (highest, escapes): (UInt8, UInt8) = (0, 0)
        for byte in bytes {
            highest = max(highest, byte)
            escapes |= byte == UInt8(ascii: "%") ? 1 : 0
        }
        guard highest >= lowestByte || escapes != 0 else { return false }
        var previous: UInt8 = 0
        for byte in bytes {
            // The escape of such a byte begins with %C, %D, %E or %F, in either case.
            if byte >= lowestByte || previous == UInt8(ascii: "%") && (byte | 0x20) >= UInt8(ascii: "c") { return true }
            previous = byte
        }
        return false
    }

    /// Returns the number of marks of the scalar's canonical decomposition, which a normal form sorts; 0 for a scalar that ends a run.
    private static func marks(in scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x0300: 0
        // All that decompose into two marks (Unicode's non-starter decompositions). Three of them have no combining class of their own.
        case 0x0344, 0x0F73, 0x0F75, 0x0F81: 2
        default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }
}
