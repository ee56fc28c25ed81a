/// What happens in an app as it happens: the rows of several topics in the order of their ids.
package struct ExportTail: Sendable {
    package struct Entry: Sendable {
        /// From here a tail that was cut off goes on.
        package let checkpoint: ExportCheckpoint
        /// The columns that are not empty, and the topic.
        package let members: JSONObject
    }

    /// What is read at once where there is much to catch up with.
    private static let stretch = Duration.seconds(60)

    private let service: ExportService
    private let scope: Scope
    private let topics: [ExportTopic]
    private let currency: Currency
    private var position: Int64

    fileprivate init(service: ExportService, scope: Scope, topics: [ExportTopic], currency: Currency, position: Int64) {
        self.service = service
        self.scope = scope
        self.topics = topics
        self.currency = currency
        self.position = position
    }

    /// What has come since the last call, which may be nothing.
    package mutating func next() async throws -> [Entry] {
        let settled = try await service.settledHorizon() - 1
        let start = max(IDGenerator.time(of: position), IDGenerator.epoch)
        let end = min(settled, IDGenerator.first(at: start + Self.stretch))
        guard end > position else { return [] }
        var entries: [Entry] = []
        for topic in topics {
            let request = ExportRequest(scope: scope, topic: topic, range: .all)
            var cursor = ExportCursor(service: service, request: request, currency: currency, after: position, through: end)
            while let records = try await cursor.nextRecords() { entries += records.map { Entry($0, topic, request.columns) } }
        }
        position = end
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
    /// Follows some topics of an app, or all, from now or from a checkpoint on.
    package func tail(_ topics: [ExportTopic], in scope: Scope, since: ExportCheckpoint?) async throws -> ExportTail {
        let position: Int64
        if let since { position = since.id } else { position = try await settledHorizon() - 1 }
        return ExportTail(
            service: self, scope: scope, topics: topics.isEmpty ? ExportTopic.daily : topics,
            currency: try await currency(of: scope), position: position)
    }
}

extension ExportTopic {
    /// Topics of today by their names, separated by commas; empty for none. Fails with `invalid`.
    package static func topics(named names: String?) throws -> [ExportTopic] {
        try (names ?? "").split(separator: ",").map { name in
            guard let topic = daily.first(where: { $0.rawValue == name }) else {
                throw Failure.invalid(
                    "There is no topic \"\(name)\" to follow. Topics are " + daily.map(\.rawValue).joined(separator: ", ") + ".")
            }
            return topic
        }
    }
}
