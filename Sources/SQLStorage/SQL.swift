/// A statement and the values it is run with. Interpolated values bind; the text is always ours.
///
///     "SELECT name FROM apps WHERE id = \(id)"   →   SELECT name FROM apps WHERE id = $1
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// Names a statement by the pieces of its text: put together, they would be hashed and compared byte by byte for each call.
    package struct Key: Hashable {
        fileprivate let pieces: [String]

        /// Pieces of one statement are the same strings of the program each time, which compare at once. No two statements have pieces of
        /// all the same lengths as a rule.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(pieces.reduce(pieces.count) { $0 &* 31 &+ $1.utf8.count })
        }
    }

    package let key: Key
    package let values: [SQLValue]
    package var text: String { key.pieces.joined() }

    package init(stringLiteral text: String) {
        self.init(text: text, values: [])
    }

    package init(stringInterpolation: StringInterpolation) {
        key = Key(pieces: stringInterpolation.pieces)
        values = stringInterpolation.values
    }

    package init(text: String, values: [SQLValue]) {
        key = Key(pieces: [text])
        self.values = values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [String] = []
        fileprivate var values: [SQLValue] = []

        /// Of parameters, by their numbers.
        private static let names = (0..<64).map { "$\($0)" }

        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            pieces.append(literal)
        }

        package mutating func appendInterpolation(_ value: some SQLEncodable) {
            bind(value.sqlValue)
        }

        /// `nil` is `NULL`.
        package mutating func appendInterpolation<Value: SQLEncodable>(_ value: Value?) {
            bind(value?.sqlValue ?? .null)
        }

        private mutating func bind(_ value: SQLValue) {
            values.append(value)
            pieces.append(values.count < Self.names.count ? Self.names[values.count] : "$\(values.count)")
        }

        /// A list in parentheses for `IN`, which PostgreSQL takes only with at least one value.
        package mutating func appendInterpolation(list: [some SQLEncodable]) {
            precondition(!list.isEmpty, "A list in SQL has at least one value.")
            for (index, value) in list.enumerated() {
                appendLiteral(index == 0 ? "(" : ", ")
                appendInterpolation(value)
            }
            appendLiteral(")")
        }

        /// Words of our own that several statements share, such as a list of columns.
        package mutating func appendInterpolation(raw: StaticString) {
            pieces.append("\(raw)")
        }
    }
}

/// What a parameter can be.
package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

package protocol SQLEncodable {
    var sqlValue: SQLValue { get }
}
