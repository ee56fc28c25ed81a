import Crypto

/// Hashing of JSON values, to compare them without storing them.
extension JSON {
    /// The value with the keys of every object sorted.
    package var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.sorted) }))
        default: self
        }
    }

    /// The SHA-256 hash of the value's compact text, in hexadecimal digits.
    package var hash: String {
        SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
