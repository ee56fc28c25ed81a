import LindenReporting

/// The bounds of the pages of an export. Only the primary keys are used.
extension SQLTransaction {
    package func exportPageEnd(of topics: [ExportTopic], after id: Int64, through last: Int64, limit: Int) throws -> Int64 {
        try Set(topics.flatMap(\.logs)).map { try pageEnd(of: $0.table, after: id, limit: limit, or: last) }.min() ?? last
    }

    package func exportPageStart(of topics: [ExportTopic], after id: Int64, through last: Int64, limit: Int) throws -> Int64 {
        try Set(topics.flatMap(\.logs)).map { log in
            try connection.first(
                "SELECT id FROM \(raw: log.table) WHERE id > \(id) AND id <= \(last) ORDER BY id DESC LIMIT 1 OFFSET \(limit)"
            ) { $0.integer(0) } ?? id
        }.max() ?? id
    }

    package func exportEnds(of topic: ExportTopic, after id: Int64, through last: Int64) throws -> ClosedRange<Int64>? {
        var ends: [Int64] = []
        for log in topic.logs {
            for order: StaticString in ["ASC", "DESC"] {
                let found = try connection.first(
                    "SELECT id FROM \(raw: log.table) WHERE id > \(id) AND id <= \(last) ORDER BY id \(raw: order) LIMIT 1"
                ) { $0.integer(0) }
                if let found { ends.append(found) }
            }
        }
        guard let first = ends.min(), let last = ends.max() else { return nil }
        return first...last
    }

    /// The id of the last row of a page of a log; `last` if the page is not full.
    func pageEnd(of log: StaticString, after id: Int64, limit: Int, or last: Int64) throws -> Int64 {
        try connection.first(
            "SELECT id FROM \(raw: log) WHERE id > \(id) AND id <= \(last) ORDER BY id LIMIT 1 OFFSET \(limit - 1)"
        ) { $0.integer(0) } ?? last
    }
}

/// The tables from which topics have their rows.
private enum ExportedLog {
    case clicks, sessions, events, links

    var table: StaticString {
        switch self {
        case .clicks: "clicks"
        case .sessions: "sessions"
        case .events: "events"
        case .links: "links"
        }
    }
}

extension ExportTopic {
    fileprivate var logs: [ExportedLog] {
        switch source {
        case .nothing: []
        case .clicks: [.clicks]
        case .sessions: [.sessions]
        case .events: [.events]
        case .activity: [.sessions, .events]
        case .links: [.links]
        }
    }
}
