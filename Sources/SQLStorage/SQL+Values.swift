import Linden
import LindenKernel
import LinkRouting

extension Int64: SQLEncodable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLEncodable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// Booleans are SMALLINT, 0 or 1.
extension Bool: SQLEncodable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLEncodable {
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLEncodable {
    package var sqlValue: SQLValue { .blob(self) }
}

extension Optional: SQLEncodable where Wrapped: SQLEncodable {
    package var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}

/// Times are BIGINT milliseconds since 1970.
extension Timestamp: SQLEncodable {
    package var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Identifier: SQLEncodable {
    package var sqlValue: SQLValue { .integer(rawValue) }
}

extension Mode: SQLEncodable {
    package var sqlValue: SQLValue { .integer(rawValue) }
}

/// JSON is TEXT.
extension JSON: SQLEncodable {
    package var sqlValue: SQLValue { .text(text) }
}

/// One result row; columns count from 0.
package protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String
    func blob(_ column: Int) -> [UInt8]
}

extension SQLRow {
    package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func bool(_ column: Int) -> Bool { integer(column) != 0 }
    package func id<Entity>(_ column: Int) -> Identifier<Entity> { Identifier(rawValue: integer(column)) }
    package func optionalID<Entity>(_ column: Int) -> Identifier<Entity>? {
        optionalInteger(column).map(Identifier.init(rawValue:))
    }
    package func time(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }
    package func optionalTime(_ column: Int) -> Timestamp? { optionalInteger(column).map(Timestamp.init(milliseconds:)) }

    /// Decodes a scope from two adjacent columns: app and mode.
    package func scope(_ column: Int) -> Scope {
        Scope(app: id(column), mode: Mode(rawValue: integer(column + 1)) ?? .live)
    }

    package func object(_ column: Int) throws -> JSONObject {
        try JSON.parse(text(column)).object ?? [:]
    }
}
