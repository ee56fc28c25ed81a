import Foundation

/// Texts as the database compares them: by their bytes. Swift compares their normal forms, for which a precomposed é and e with a combining
/// accent are equal, and which take ten times as long for long texts outside ASCII.
extension String {
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
            }
        }
    }

    /// Whether the text is before another one by its bytes.
    package func isBeforeByBytes(_ other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let shared = min(left.count, right.count)
                let order = shared == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, shared)
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }

    /// For a type whose values are equal if their texts have the same bytes.
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}

extension String? {
    /// Whether both are nil, or both are texts with the same bytes.
    package func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let one?, let other?): one.hasSameBytes(as: other)
        default: false
        }
    }

    package func hashBytes(into hasher: inout Hasher) {
        hasher.combine(self == nil)
        self?.hashBytes(into: &hasher)
    }
}

/// A text that is equal to another one of the same bytes, for sets and keys.
package struct BytewiseText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: BytewiseText, right: BytewiseText) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
