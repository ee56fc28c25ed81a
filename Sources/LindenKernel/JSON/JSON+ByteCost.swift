extension JSON {
    /// The approximate memory size in bytes, including the heap objects of texts, arrays and objects.
    package var byteCost: Int {
        let value = MemoryLayout<JSON>.stride
        switch self {
        case .null, .bool, .integer: return value
        case .decimal(let text), .string(let text): return value + text.heapBytes
        case .array(let values): return values.reduce(value + heapHeaderBytes) { $0 + $1.byteCost }
        case .object(let members):
            return members.reduce(value + heapHeaderBytes + members.indexBytes) { sum, member in
                sum + JSONObject.memberBytes + member.key.heapBytes + member.value.byteCost
            }
        }
    }
}

/// The header of a text's or an array's heap object.
private let heapHeaderBytes = 32

extension String {
    /// The size of the text's heap object; texts of up to 15 bytes have none.
    fileprivate var heapBytes: Int { utf8.count > 15 ? heapHeaderBytes + utf8.count : 0 }
}
