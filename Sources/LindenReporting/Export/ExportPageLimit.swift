/// The size limits of a page, the unit that an export holds in memory. A page has at least one row.
package struct ExportPageLimit: Sendable {
    /// The maximum number of log rows that a page examines, including rows of other apps and topics.
    package var rows: Int
    /// The size in bytes at which a page ends: that of its rows, and separately that of the links read for them.
    package var bytes: Int

    package init(rows: Int = 2000, bytes: Int = 2 << 20) {
        self.rows = rows
        self.bytes = bytes
    }
}

/// A page of rows while it is being read.
package struct ExportPage: Sendable {
    package private(set) var rows: [ExportRow] = []
    private let limit: Int
    private var bytes = 0

    package init(_ limit: ExportPageLimit) {
        self.limit = limit.bytes
    }

    /// Appends a row.
    ///
    /// - Returns: whether the page has room for more.
    package mutating func append(_ row: ExportRow) -> Bool {
        rows.append(row)
        bytes += row.byteCost
        return hasRoom
    }

    package var hasRoom: Bool { bytes < limit }

    /// Returns the id up to which the page extends: that of its last row if the page is full, otherwise `end`.
    package func reach(or end: Int64) -> Int64 {
        hasRoom ? end : rows.last?.id ?? end
    }
}

extension ExportRow {
    /// The approximate memory size in bytes.
    package var byteCost: Int {
        let texts = [
            query, developerIdentity, revenueText, transactionID, body, firstTouch, device.osVersion, device.brand, device.model,
            device.appVersion, device.hardwareID, device.advertisingID, device.userAgent, device.referrer,
        ]
        return texts.reduce(Self.overhead) { $0 + ($1?.utf8.count ?? 0) }
    }

    private static let overhead = MemoryLayout<ExportRow>.size
}
