/// A member of stored JSON that is absent although it is required, or that has another form than expected.
package struct MemberError: Error, Sendable, Equatable, CustomStringConvertible {
    package let name: String

    package init(name: String) { self.name = name }

    package var description: String { "The member \"\(name)\" of stored JSON is missing or malformed." }
}

/// Decoding of stored JSON, where an absent member and a malformed one differ.
extension JSONObject {
    /// Decodes a member. Throws ``MemberError`` if the member is absent or `decode` returns nil.
    package func required<Value>(_ name: String, _ decode: (JSON) throws -> Value?) throws -> Value {
        guard let value = try optional(name, decode) else { throw MemberError(name: name) }
        return value
    }

    /// Decodes a member; nil if it is absent. Throws ``MemberError`` if `decode` returns nil.
    package func optional<Value>(_ name: String, _ decode: (JSON) throws -> Value?) throws -> Value? {
        guard let member = self[name] else { return nil }
        guard let value = try decode(member) else { throw MemberError(name: name) }
        return value
    }
}
