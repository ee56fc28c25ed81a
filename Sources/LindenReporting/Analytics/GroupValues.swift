import LindenKernel

/// The values of a row, one for each dimension. Compared by their bytes, as the database does.
package struct GroupValues: Hashable, Sendable, ExpressibleByArrayLiteral {
    package let texts: [String]

    package init(_ texts: [String]) {
        self.texts = texts
    }

    package init(arrayLiteral texts: String...) {
        self.texts = texts
    }

    package static func == (left: GroupValues, right: GroupValues) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.hasSameBytes(as: $1) }
    }

    package func precedes(_ other: GroupValues) -> Bool {
        texts.lexicographicallyPrecedes(other.texts) { $0.isBeforeByBytes($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for text in texts { text.hashBytes(into: &hasher) }
    }
}
