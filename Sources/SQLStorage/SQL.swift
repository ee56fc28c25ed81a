/// A statement and its parameters. Interpolated values are bound; the text itself contains no input.
///
///     "SELECT name FROM apps WHERE id = \(id)"   →   SELECT name FROM apps WHERE id = $1
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The cache key of a statement: the pieces of its text, which avoids joining and hashing the whole text for each call.
    package struct Key: Hashable {
        fileprivate let pieces: [String]

        /// Hashes the lengths of the pieces alone, which differ between most statements. Equality is fast: pieces of one statement are
        /// identical string literals.
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

        /// The names of the first parameters, by number.
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

        /// Binds nil as `NULL`.
        package mutating func appendInterpolation<Value: SQLEncodable>(_ value: Value?) {
            bind(value?.sqlValue ?? .null)
        }

        private mutating func bind(_ value: SQLValue) {
            values.append(value)
            pieces.append(values.count < Self.names.count ? Self.names[values.count] : "$\(values.count)")
        }

        /// A list in parentheses for `IN`. PostgreSQL requires at least one value.
        package mutating func appendInterpolation(list: [some SQLEncodable]) {
            precondition(!list.isEmpty, "A list in SQL has at least one value.")
            for (index, value) in list.enumerated() {
                appendLiteral(index == 0 ? "(" : ", ")
                appendInterpolation(value)
            }
            appendLiteral(")")
        }

        /// Integers in parentheses for `IN`, as literals rather than parameters: a partial index serves only conditions that repeat the
        /// literals of its own. To be used with constants, since each list is a statement of its own.
        package mutating func appendInterpolation(literals: [Int64]) {
            pieces.append("(" + literals.map { String($0) }.joined(separator: ", ") + ")")
        }

        /// Constant SQL text that several statements share, such as a list of columns.
        package mutating func appendInterpolation(raw: StaticString) {
            pieces.append("\(raw)")
        }
    }
}

/// The value of a parameter.
package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

package protocol SQLEncodable {
    var sqlValue: SQLValue { get }
}
