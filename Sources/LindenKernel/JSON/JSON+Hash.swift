import Crypto
import LinkRouting

/// Hashing of JSON values, to compare them without storing them.
extension JSON {
    /// The value with the keys of every object sorted by their bytes.
    package var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.sortedByName { $0.sorted })
        default: self
        }
    }

    /// The SHA-256 hash of the value's compact text, in hexadecimal digits.
    package var hash: String {
        Hex.encode(SHA256.hash(data: bytes))
    }
}
