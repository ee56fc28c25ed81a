import LindenKernel

/// A part of a table that was copied: the rows after those of the range before, up to a primary key.
struct CopiedRange: Sendable {
    /// The position among the ranges of the table, from 0.
    let number: Int64
    /// The primary key at which the range ends.
    let last: [SQLValue]
    /// The checksum of the source's rows.
    var checksum: RowChecksum
    /// Whether the target's rows were read since this process wrote them last.
    var isVerified = false
}

extension [CopiedRange] {
    /// The checksum of all rows.
    var checksum: RowChecksum { reduce(into: RowChecksum()) { $0.add($1.checksum) } }

    /// The primary key after which a range begins; nil for the first one.
    func start(of index: Int) -> [SQLValue]? { index > 0 ? self[index - 1].last : nil }
}

/// A primary key as text, in a table of the target: a JSON array, in which an array of numbers stands for bytes.
enum CopiedKey {
    static func text(of key: [SQLValue]) -> String {
        JSON.array(
            key.map { value in
                switch value {
                case .null: .null
                case .integer(let integer): .integer(integer)
                case .text(let text): .string(text)
                case .blob(let bytes): .array(bytes.map { .integer(Int64($0)) })
                }
            }
        ).text
    }

    static func values(of text: String) throws -> [SQLValue] {
        try (JSON.parse(text).array ?? []).map { value -> SQLValue in
            switch value {
            case .integer(let integer): .integer(integer)
            case .string(let text): .text(text)
            case .array(let bytes): .blob(bytes.compactMap { $0.int64.flatMap(UInt8.init(exactly:)) })
            default: .null
            }
        }
    }
}
