/// A statement and the values it is run with. Interpolated values bind; the text is always ours.
///
///     "SELECT name FROM apps WHERE id = \(id)"   →   SELECT name FROM apps WHERE id = $1
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    package let text: String
    package let values: [SQLValue]

    package init(stringLiteral text: String) {
        self.text = text
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    package init(text: String, values: [SQLValue]) {
        self.text = text
        self.values = values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 3)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        package mutating func appendInterpolation(_ value: some SQLEncodable) {
            values.append(value.sqlValue)
            text += "$\(values.count)"
        }

        /// Words of our own that several statements share, such as a list of columns.
        package mutating func appendInterpolation(raw: StaticString) {
            text += "\(raw)"
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
