import Linden
import LindenKernel

/// A live export: the rows of several topics of an app in the order of their ids, as they are recorded.
package struct ExportTail: Sendable {
    package struct Entry: Sendable {
        /// The position from which an interrupted tail continues.
        package let checkpoint: ExportCheckpoint
        /// The topic and the columns that are not empty.
        package let members: JSONObject
    }

    /// The page size for each log while the tail catches up. It is small because many tails may do so at the same time.
    private static let page = ExportPageLimit(bytes: 256 << 10)

    private let service: ExportService
    private let scope: Scope
    private let topics: [ExportTopic]
    private let app: AppContext?
    private let longLinkKey: String?
    /// The id up to which rows were returned.
    package private(set) var position: Int64
    /// Whether all rows were read; then new ones will not be available for about a second.
    package private(set) var isCaughtUp = false

    fileprivate init(
        service: ExportService, scope: Scope, topics: [ExportTopic], app: AppContext?, longLinkKey: String?, position: Int64
    ) {
        self.service = service
        self.scope = scope
        self.topics = topics
        self.app = app
        self.longLinkKey = longLinkKey
        self.position = position
    }

    /// Returns a copy that continues from another position.
    package func continuing(after position: Int64) -> ExportTail {
        var tail = self
        tail.position = position
        tail.isCaughtUp = false
        return tail
    }

    /// Returns the entries recorded since the last call, which may be none.
    package mutating func next() async throws -> [Entry] {
        try await next(before: service.recentWatermark())
    }

    /// Returns the next entries below a watermark.
    mutating func next(before watermark: Int64) async throws -> [Entry] {
        let settled = watermark - 1
        guard settled > position else {
            isCaughtUp = true
            return []
        }
        var end = try await service.storage.read { [topics, position] reader in
            try reader.exportPageEnd(of: topics, after: position, through: settled, limit: Self.page.rows)
        }
        var entries: [Entry] = []
        for topic in topics {
            try Task.checkCancellation()
            let request = ExportRequest(scope: scope, topic: topic, range: .all)
            var cursor = ExportCursor(
                service: service, request: request, app: app, longLinkKey: longLinkKey, after: position, through: end,
                isWritten: false, limit: Self.page)
            entries += (try await cursor.nextRecords() ?? []).map { Entry($0, topic, request.columns) }
            end = min(end, cursor.checkpoint.id)
        }
        entries = entries.filter { $0.checkpoint.id <= end }.sorted { $0.checkpoint.id < $1.checkpoint.id }
        if let full = entries.firstIndex(reaching: Self.page.bytes), full < entries.count - 1 {
            end = entries[full].checkpoint.id
            entries.removeAll { $0.checkpoint.id > end }
        }
        position = end
        isCaughtUp = end == settled
        return entries
    }
}

extension [ExportTail.Entry] {
    /// Returns the index of the first entry at which the entries up to it reach a size in bytes.
    fileprivate func firstIndex(reaching bytes: Int) -> Int? {
        var sum = 0
        return firstIndex { entry in
            sum += JSON.object(entry.members).byteCost
            return sum >= bytes
        }
    }
}

extension ExportTail.Entry {
    fileprivate init(_ record: ExportRecord, _ topic: ExportTopic, _ columns: [ExportColumn]) {
        var members: JSONObject = ["topic": .string(topic.rawValue)]
        for column in columns {
            let value = column.value(record).json
            if !value.isNull { members[column.name] = value }
        }
        self.init(checkpoint: ExportCheckpoint(id: record.row.id), members: members)
    }
}

extension ExportService {
    /// Follows some topics of an app, or all, from now or from a checkpoint. Fails with `invalid` for a checkpoint in the future.
    package func tail(_ topics: [ExportTopic], in scope: Scope, since: ExportCheckpoint?) async throws -> ExportTail {
        let settled = try await watermark()
        return ExportTail(
            service: self, scope: scope, topics: topics.isEmpty ? ExportTopic.current : topics, app: try await app(of: scope),
            longLinkKey: try await longLinkKey(of: scope), position: try since?.checked(settled) ?? settled - 1)
    }
}

extension ExportTopic {
    /// Reads names of current topics, separated by commas; none for an empty text. Fails with `invalid` for an unknown name, and for a topic
    /// that is named twice.
    package static func topics(named names: String?) throws -> [ExportTopic] {
        var topics: [ExportTopic] = []
        for name in (names ?? "").split(separator: ",") {
            guard let topic = current.first(where: { $0.rawValue == name }) else {
                throw Failure.invalid(
                    "There is no topic \"\(name)\" to follow. Topics are " + current.map(\.rawValue).joined(separator: ", ") + ".")
            }
            guard !topics.contains(topic) else { throw Failure.invalid("The topic \(name) is named twice.") }
            topics.append(topic)
        }
        return topics
    }
}
