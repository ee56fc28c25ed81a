/// What happens in an app as it happens: the rows of several topics in the order of their ids.
package struct ExportTail: Sendable {
    package struct Entry: Sendable {
        /// From here a tail that was cut off goes on.
        package let checkpoint: ExportCheckpoint
        /// The columns that are not empty, and the topic.
        package let members: JSONObject
    }

    /// Rows of each log, whosever they are, that are read at once where there is much to catch up with.
    private static let page = 2000

    private let service: ExportService
    private let scope: Scope
    private let topics: [ExportTopic]
    private let app: AppContext?
    /// The id up to which rows were given.
    package private(set) var position: Int64
    /// Whether there was no more to read: then there is nothing for the next second or so.
    package private(set) var isCaughtUp = false

    fileprivate init(service: ExportService, scope: Scope, topics: [ExportTopic], app: AppContext?, position: Int64) {
        self.service = service
        self.scope = scope
        self.topics = topics
        self.app = app
        self.position = position
    }

    /// The same tail from another position on.
    package func continuing(after position: Int64) -> ExportTail {
        var tail = self
        tail.position = position
        tail.isCaughtUp = false
        return tail
    }

    /// What has come since the last call, which may be nothing.
    package mutating func next() async throws -> [Entry] {
        let settled = try await service.recentHorizon() - 1
        guard settled > position else {
            isCaughtUp = true
            return []
        }
        let end = try await service.storage.read { [topics, position] reader in
            try topics.map { try reader.exportPageEnd(of: $0, after: position, through: settled, limit: Self.page) }.min()
                ?? settled
        }
        var entries: [Entry] = []
        for topic in topics {
            let request = ExportRequest(scope: scope, topic: topic, range: .all)
            var cursor = ExportCursor(service: service, request: request, app: app, after: position, through: end, isWritten: false)
            while let records = try await cursor.nextRecords() { entries += records.map { Entry($0, topic, request.columns) } }
        }
        position = end
        isCaughtUp = end == settled
        return entries.sorted { $0.checkpoint.id < $1.checkpoint.id }
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
    /// Follows some topics of an app, or all, from now or from a checkpoint on. Fails with `invalid` for a checkpoint of the future.
    package func tail(_ topics: [ExportTopic], in scope: Scope, since: ExportCheckpoint?) async throws -> ExportTail {
        let settled = try await settledHorizon()
        return ExportTail(
            service: self, scope: scope, topics: topics.isEmpty ? ExportTopic.current : topics, app: try await app(of: scope),
            position: try since?.checked(settled) ?? settled - 1)
    }
}

extension ExportTopic {
    /// Topics of today by their names, separated by commas; empty for none. Fails with `invalid`.
    package static func topics(named names: String?) throws -> [ExportTopic] {
        try (names ?? "").split(separator: ",").map { name in
            guard let topic = current.first(where: { $0.rawValue == name }) else {
                throw Failure.invalid(
                    "There is no topic \"\(name)\" to follow. Topics are " + current.map(\.rawValue).joined(separator: ", ") + ".")
            }
            return topic
        }
    }
}
