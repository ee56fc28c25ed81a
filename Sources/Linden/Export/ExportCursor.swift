import LinkRouting

/// A running export. Rows are read in pages and written in chunks, both of bounded size (``ExportPageLimit``), so an export of any length
/// and content uses the memory of two pages, and does not block other readers and writers.
package struct ExportCursor: ByteSource {
    /// The size in bytes at which the caches of links, and of touches derived from them, are dropped. If links are clicked with individual
    /// parameters, each click has a touch of its own.
    private static let cacheBytes = 8 << 20

    private struct Page: Sendable {
        var rows: ArraySlice<ExportRow>
        var through: Int64
        /// The links of the page's rows that were not cached when it was read.
        var links: [Link.ID: Link] = [:]
        var linkBytes = 0
        /// Whether the links cached before are to be dropped.
        var isFresh = false

        /// Truncates the page before a row.
        mutating func cut(at index: Int) {
            rows = rows[..<index]
            through = rows.last!.id
        }
    }

    private let service: ExportService
    private let request: ExportRequest
    private let parts: ExportRow.Parts
    private let writer: ExportWriter
    private let app: AppContext?
    private let longLinkKey: String?
    private let begun: Int64
    private let last: Int64
    /// The first and the last row of the log within the range; nil if there are none.
    private let ends: ClosedRange<Int64>?
    private var isBegun = false
    private var isDone = false
    private var position: Int64
    private var page: Page?
    /// The page after ``page``, read while that is written.
    private var ahead: Task<Page, any Error>?
    private let limit: ExportPageLimit
    private var links: [Link.ID: Link] = [:]
    private var linkBytes = 0
    private var touches: [TouchKey: ExportTouch] = [:]
    private var touchBytes = 0
    /// Whether touches are needed only in their written form.
    private let isWrittenOnly: Bool
    private let isWritten: Bool
    /// Whether the address of the credited link is needed.
    private let needsLinkURL: Bool

    private struct TouchKey: Hashable {
        let link: Link.ID
        let query: String?
    }

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
        self.isWritten = isWritten
        self.limit = limit
        needsLinkURL = request.needsLinkURL
        isWrittenOnly = isWritten && !request.asksTouches
        self.service = service
        self.request = request
        self.app = app
        self.longLinkKey = longLinkKey
        parts = request.parts
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
        guard let records = try await nextRecords() else { return output }
        output.reserveCapacity(records.count * (request.columns.count * 8 + 64))
        for record in records { writer.write(record, to: &output) }
        return output
    }

    /// Returns the next records of the page, which may be empty; nil at the end of the export. Touches count towards the byte limit of a
    /// page, because they may be larger than the stored rows.
    mutating func nextRecords() async throws -> [ExportRecord]? {
        guard position < last, rows < request.limit else {
            isDone = true
            return nil
        }
        if page == nil { page = try await nextPage() }
        var records: [ExportRecord] = []
        var bytes = 0
        while bytes < limit.bytes, rows < request.limit, let row = page!.rows.popFirst() {
            position = row.id
            let record = try record(of: row)
            bytes += row.byteCost + (record.touch?.byteCost ?? 0)
            guard request.filter?.matches(record) ?? true else { continue }
            records.append(record)
            rows += 1
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

    private mutating func nextPage() async throws -> Page {
        let page = try await (ahead ?? read(after: position)).value
        if page.isFresh {
            (links, linkBytes) = (page.links, page.linkBytes)
        } else {
            links.merge(page.links) { $1 }
            linkBytes += page.linkBytes
        }
        ahead = isWritten && page.through < last ? read(after: page.through) : nil
        return page
    }

    private func read(after position: Int64) -> Task<Page, any Error> {
        let (request, parts, last, limit) = (request, parts, last, limit)
        let cached = linkBytes > Self.cacheBytes ? [:] : links
        let storage = service.storage
        return Task {
            if case .nothing = request.topic.source { return Page(rows: [], through: last) }
            return try await storage.read { reader in
                let (rows, through) = try reader.exportRows(
                    of: request.topic, parts, in: request.scope, after: position, through: last, limit: limit)
                var page = Page(rows: rows[...], through: through, isFresh: cached.isEmpty)
                guard parts.contains(.touch) else { return page }
                for (index, row) in rows.enumerated() {
                    guard let id = row.link, id != .long, cached[id] == nil, page.links[id] == nil, let link = try reader.link(id)
                    else { continue }
                    if page.linkBytes >= limit.bytes {
                        page.cut(at: index)
                        break
                    }
                    page.links[id] = link
                    page.linkBytes += JSON.object(link.data).byteCost
                }
                return page
            }
        }
    }

    private mutating func record(of row: ExportRow) throws -> ExportRecord {
        let body = try row.body.map { try JSON.parse($0).object ?? [:] } ?? [:]
        var record = ExportRecord(
            row, in: request.scope, body: body, touch: touch(of: row, body), showsAddress: service.showsAddresses,
            publicIDs: service.publicIDs, visitors: service.visitors)
        record.app = app?.app
        if request.topic.isOld {
            record.link = row.link.flatMap { links[$0] }
            record.linkURL = record.link.map { service.baseURL.url(of: $0) }
            record.firstTouch = try row.firstTouch.map { try JSON.parse($0).object ?? [:] } ?? [:]
        }
        return record
    }

    /// Returns the touch of a row. A session's parameters include its touch; for clicks and events, it is derived from the click.
    private mutating func touch(of row: ExportRow, _ body: JSONObject) -> ExportTouch? {
        guard parts.contains(.touch) else { return nil }
        if case .session = row.kind {
            let isByAd = body["+match_guaranteed"] != nil && body["+clicked_branch_link"] == false
            guard row.link != nil || isByAd else { return nil }
            var body = body
            if needsLinkURL, let id = row.link, let url = url(of: id) { body["+url"] = .string(url) }
            return ExportTouch(body, writer: writer, isWrittenOnly: isWrittenOnly)
        }
        guard let id = row.link, let click = row.click else { return nil }
        let key = TouchKey(link: id, query: row.query)
        if let touch = touches[key] { return touch }
        guard var data = data(of: id, click, row.query) else { return nil }
        if needsLinkURL, let url = url(of: id, row.query) { data["+url"] = .string(url) }
        let touch = ExportTouch(data, writer: writer, isWrittenOnly: isWrittenOnly)
        if touchBytes >= Self.cacheBytes { (touches, touchBytes) = ([:], 0) }
        touches[key] = touch
        touchBytes += touch.byteCost
        return touch
    }

    /// Returns the address of a link without the query appended to it when it was clicked. A long link consists of its query, so without a
    /// query the result is nil.
    private func url(of id: Link.ID, _ query: String? = nil) -> String? {
        guard id == .long else { return links[id].map { service.baseURL.url(of: $0) } }
        guard let longLinkKey, let query else { return nil }
        let base = service.baseURL.url(of: LinkAddress(host: "", path: "a/" + longLinkKey))
        return query.isEmpty ? base : base + "?" + PercentCoding.encodeIllegal(query)
    }

    private func data(of id: Link.ID, _ click: Click.ID, _ query: String?) -> JSONObject? {
        if id == .long {
            let read = LongLink(query: query ?? "")
            var data = read.data
            for (name, value) in read.labels.members { data["~" + name] = value }
            data["~id"] = "0"
            return data
        }
        guard let link = links[id] else { return nil }
        return ReferringData.touch(
            Referral(
                link: link, url: service.baseURL.url(of: link, appended: query), click: click,
                query: query.map { URLParts.queryItems($0) } ?? [], referrer: nil, owner: nil, phone: nil, isGuaranteed: true))
    }
}

extension ExportRequest {
    /// Whether columns or the filter need the data of touches beyond their written form.
    fileprivate var asksTouches: Bool {
        columns.contains(where: \.asksTouches) || filter?.columns.contains { $0.parts.contains(.touch) } == true
    }

    fileprivate var needsLinkURL: Bool {
        (columns + (filter?.columns ?? [])).contains { $0.name == ExportColumn.linkURL }
    }

    /// The projection that the columns and the filter need.
    fileprivate var parts: ExportRow.Parts {
        (columns + (filter?.columns ?? [])).reduce(into: []) { $0.formUnion($1.parts) }
    }
}
