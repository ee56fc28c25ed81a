import Linden
import LindenKernel
import LinkRouting

/// A running export. Rows are read in pages and written in chunks, both of bounded size (``ExportPageLimit``), so an export of any length
/// and content uses the memory of two pages, and does not block other readers and writers.
package struct ExportCursor: ByteSource {
    /// The size in bytes at which the caches of links, and of touches derived from them, are dropped. If links are clicked with individual
    /// parameters, each click has a touch of its own.
    static let cacheBytes = 3 << 20

    private static let fewestRows = 200

    let service: ExportService
    let request: ExportRequest
    let projection: ExportRow.Projection
    let writer: ExportWriter
    let app: AppContext?
    let longLinkKey: String?
    private let begun: Int64
    let last: Int64
    /// The first and the last row of the log within the range; nil if there are none.
    private let ends: ClosedRange<Int64>?
    private var isBegun = false
    private var isDone = false
    var position: Int64
    private var page: Page?
    /// The page after ``page``, read while that is written.
    var ahead: Task<Page, any Error>?
    let limit: ExportPageLimit
    var links: [Link.ID: Link] = [:]
    var linkBytes = 0
    var touches: [TouchKey: ExportTouch] = [:]
    var touchBytes = 0
    /// Whether touches are needed only in their written form.
    let isWrittenOnly: Bool
    /// Whether the next page is read while one is used. False for a reader that may stop after any page.
    var readsAhead: Bool
    /// Whether the address of the credited link is needed.
    let needsLinkURL: Bool

    /// The number of rows so far.
    package private(set) var rows: Int64 = 0
    /// The checkpoint from which a later export continues.
    package var checkpoint: ExportCheckpoint { ExportCheckpoint(id: position) }
    /// The part of the id range between the first and the last row that is done, from 0 to 1. Ids grow with time.
    package var progress: Double {
        guard let ends, position < ends.upperBound else { return 1 }
        return max(0, Double(position - ends.lowerBound) / Double(ends.upperBound - ends.lowerBound))
    }
    /// The time up to which rows were written; nil before the first one.
    package var reached: Timestamp? {
        ends.flatMap { position < $0.lowerBound ? nil : IDGenerator.time(of: min(position, $0.upperBound)) }
    }

    /// The export's metadata: its topic, `rows`, `from`, `to` and `checkpoint`.
    package var manifest: JSONObject {
        [
            "topic": .string(request.topic.rawValue),
            "rows": .integer(rows),
            "from": .string(IDGenerator.time(of: begun + 1).iso8601),
            "to": .string(IDGenerator.time(of: max(last, begun) + 1).iso8601),
            "checkpoint": .string(checkpoint.text),
        ]
    }

    /// - Parameter isWritten: false for a cursor of which only the records are used; it keeps their values and does not read a page ahead.
    init(
        service: ExportService, request: ExportRequest, app: AppContext?, longLinkKey: String?, after: Int64, through last: Int64,
        ends: ClosedRange<Int64>? = nil, isWritten: Bool = true, limit: ExportPageLimit = ExportPageLimit()
    ) {
        self.ends = ends
        readsAhead = isWritten
        self.limit = limit
        needsLinkURL = request.needsLinkURL
        isWrittenOnly = isWritten && !request.asksTouches
        self.service = service
        self.request = request
        self.app = app
        self.longLinkKey = longLinkKey
        projection = request.projection
        writer = ExportWriter(request.columns, request.format, times: request.times, ids: request.ids)
        position = after
        begun = after
        self.last = last
    }

    /// Returns the next bytes of the export, which may be empty; nil at its end. The first chunk begins with the header line, if the format
    /// has one.
    package mutating func next() async throws -> [UInt8]? {
        guard !isDone else { return nil }
        var output: [UInt8] = []
        if !isBegun {
            isBegun = true
            output = request.format.header(request.columns)
        }
        guard let records = try await nextRecords(rowBytes: writer.rowBytes) else { return output }
        output.reserveCapacity(records.count * (request.columns.count * 8 + 64))
        var pace = WorkPace()
        for record in records {
            writer.write(record, to: &output)
            await pace.pauseIfDue()
        }
        return output
    }

    /// Returns the next records of the page, which may be empty; nil at the end of the export. Touches count towards the byte limit of a
    /// page, because they may be larger than the stored rows.
    ///
    /// - Parameters:
    ///   - rowBytes: the bytes of a record besides its values, as it is written.
    ///   - end: the time after which no further record is read, once ``fewestRows`` of the log were: the page may have come late.
    mutating func nextRecords(rowBytes: Int = 0, until end: ContinuousClock.Instant? = nil) async throws -> [ExportRecord]? {
        guard position < last, rows < request.limit else {
            isDone = true
            return nil
        }
        if page == nil { page = try await nextPage() }
        var records: [ExportRecord] = []
        var (bytes, examined) = (0, 0)
        var pace = WorkPace()
        while bytes < limit.bytes, rows < request.limit, let row = page!.rows.popFirst() {
            position = row.id
            let record = try record(of: row)
            bytes += row.byteCost + rowBytes + (record.touch?.byteCost ?? 0)
            await pace.pauseIfDue()
            if request.filter?.matches(record) ?? true {
                records.append(record)
                rows += 1
            }
            examined += 1
            if let end, examined >= Self.fewestRows, .now >= end { break }
        }
        if page!.rows.isEmpty, rows < request.limit {
            position = page!.through
            page = nil
        }
        return records
    }

    /// Continues an interrupted export without writing another header line.
    package mutating func resume(at checkpoint: ExportCheckpoint, rows: Int64) {
        isBegun = true
        position = max(position, checkpoint.id)
        self.rows = rows
    }
}
