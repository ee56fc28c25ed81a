import Crypto

/// For telling whether two values are the same without keeping them.
extension JSON {
    /// The same value with the keys of every object in the order of their text.
    package var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.sorted) }))
        default: self
        }
    }

    /// SHA-256 of its text, in hexadecimal digits.
    package var hash: String {
        SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
