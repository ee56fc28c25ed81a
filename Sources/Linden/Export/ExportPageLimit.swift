/// Upper bounds of a page of an export, which is what an export holds in memory at once. A page has at least one row.
package struct ExportPageLimit: Sendable {
    /// Rows of the log, of every app and topic.
    package var rows: Int
    /// Bytes of the rows that belong to the export, and of the links they name.
    package var bytes: Int

    package init(rows: Int = 2000, bytes: Int = 2 << 20) {
        self.rows = rows
        self.bytes = bytes
    }
}

/// The rows of a page while they are read.
package struct ExportPage: Sendable {
    package private(set) var rows: [ExportRow] = []
    private let limit: Int
    private var bytes = 0

    package init(_ limit: ExportPageLimit) {
        self.limit = limit.bytes
    }

    /// - Returns: whether the page has room for more.
    package mutating func append(_ row: ExportRow) -> Bool {
        rows.append(row)
        bytes += row.byteCost
        return hasRoom
    }

    package var hasRoom: Bool { bytes < limit }

    /// The id that the page reaches: its last row's where the page is full, else `end`.
    package func reach(or end: Int64) -> Int64 {
        hasRoom ? end : rows.last?.id ?? end
    }
}

extension ExportRow {
    /// About how many bytes of memory it takes.
    package var byteCost: Int {
        let texts = [
            query, developerIdentity, revenueText, transactionID, body, firstTouch, device.osVersion, device.brand, device.model,
            device.appVersion, device.hardwareID, device.advertisingID, device.userAgent, device.referrer,
        ]
        return texts.reduce(Self.overhead) { $0 + ($1?.utf8.count ?? 0) }
    }

    private static let overhead = MemoryLayout<ExportRow>.size
}

extension JSON {
    /// About how many bytes of memory it takes.
    var byteCost: Int {
        switch self {
        case .null, .bool, .integer: MemoryLayout<JSON>.size
        case .decimal(let text), .string(let text): MemoryLayout<JSON>.size + text.utf8.count
        case .array(let values): values.reduce(MemoryLayout<JSON>.size) { $0 + $1.byteCost }
        case .object(let members):
            members.reduce(MemoryLayout<JSON>.size) { $0 + MemoryLayout<String>.size + $1.key.utf8.count + $1.value.byteCost }
        }
    }
}
