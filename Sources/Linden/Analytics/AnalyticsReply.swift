/// The answer to an analytics question, as the command line prints it and HTTP sends it.
package struct AnalyticsReply: Sendable {
    package let rows: [JSONObject]
    /// The number of rows on all pages; nil for questions without pages.
    package var totalRows: Int?
    /// Whether figures are estimates, as counts of devices over several days may be.
    package var isEstimated = false
    package var missing = MissingRows()
    /// One sentence for each event name in the question that was never recorded.
    package var warnings: [String] = []

    /// The metadata, sent beside the rows.
    package var members: JSONObject {
        var members: JSONObject = [:]
        if let totalRows { members["total_count"] = .integer(Int64(totalRows)) }
        if isEstimated { members["estimated"] = true }
        if let since = missing.keptSince { members["rows_kept_since"] = .string(since.iso8601) }
        if missing.erased > 0 { members["rows_erased"] = .integer(missing.erased) }
        if !warnings.isEmpty { members["warnings"] = JSON(warnings) }
        return members
    }

    /// The metadata as sentences for readers, one for each item.
    package var remarks: [String] {
        var remarks = warnings
        if isEstimated { remarks.append("Counts of devices over more than a day are estimates: standard error about 3 %.") }
        if let since = missing.keptSince { remarks.append("Counted from rows, which are kept since \(since.iso8601).") }
        if missing.erased > 0 {
            let rows = missing.erased == 1 ? "1 row" : "\(missing.erased) rows"
            remarks.append("Counted without \(rows) of this time that privacy requests erased.")
        }
        return remarks
    }
}

/// The rows that are missing from figures counted from rows.
package struct MissingRows: Sendable, Equatable {
    /// The time since which rows are kept; set only if older rows of the range were deleted for their age.
    package var keptSince: Timestamp?
    /// The number of rows erased on request in the hours of the range. They match the topics; whether they would match the other conditions
    /// is unknown.
    package var erased: Int64 = 0

    package init(keptSince: Timestamp? = nil, erased: Int64 = 0) {
        self.keptSince = keptSince
        self.erased = erased
    }
}

extension AnalyticsService {
    /// Answers a question of the command line or of HTTP.
    package func reply(
        to question: AnalyticsQuestion, _ parameters: AnalyticsParameters, of scope: Scope
    ) async throws -> AnalyticsReply {
        let now = clock.now()
        switch question {
        case .counts: return try await reply(to: try parameters.counts(of: scope, now: now)) { $0.members($1) }
        case .top:
            return try await reply(to: try parameters.top(of: scope, now: now)) { row, query in
                row.result(query, names: query.dimensions.map(\.rawValue))
            }
        case .funnel:
            let query = try parameters.funnel(of: scope, now: now)
            let rows = try await funnels(query).map { $0.members(query.dimension) }
            return AnalyticsReply(
                rows: try await describingLinks(in: rows, by: [query.dimension].compactMap { $0 }),
                missing: try await missingRows(of: [.sessions, .events], in: query.span, following: query.days, scope),
                warnings: try await warnings(aboutEvents: [query.event], in: scope))
        case .cohort:
            let query = try parameters.cohort(of: scope, now: now)
            return AnalyticsReply(
                rows: try await cohorts(query).map(\.members),
                missing: try await missingRows(of: [.sessions], in: query.span, following: query.days, scope))
        case .attribution:
            let span = try parameters.span(now)
            let summary = try await storage.analyze(scope) { [rowLimit] in
                try $0.attributionSummary(of: span, in: scope, rowLimit: rowLimit)
            }
            return AnalyticsReply(
                rows: summary.rows, missing: try await missingRows(of: [.sessions], in: span, following: 0, scope))
        case .lifetimeValue:
            let query = try parameters.lifetimeValue(of: scope, now: now)
            let rows = try await lifetimeValues(query).map { $0.members(query.dimension) }
            return AnalyticsReply(
                rows: try await describingLinks(in: rows, by: [query.dimension]),
                missing: try await missingRows(of: [.sessions, .events], in: query.span, following: query.days, scope))
        }
    }

    private func reply(
        to query: AnalyticsQuery, _ members: (AnalyticsAnswer.Row, AnalyticsQuery) -> JSONObject
    ) async throws -> AnalyticsReply {
        let answer = try await counts(query)
        return AnalyticsReply(
            rows: try await describingLinks(in: answer.rows.map { members($0, query) }, by: query.dimensions),
            totalRows: answer.totalRows, isEstimated: answer.isEstimated, missing: answer.missing,
            warnings: try await warnings(aboutEvents: query.filteredNames, in: query.scope))
    }

    private func warnings(aboutEvents names: [String], in scope: Scope) async throws -> [String] {
        try await storage.read { reader in
            try names.compactMap { try reader.warning(aboutEvent: EventName($0), in: scope) }
        }
    }

    /// Returns the rows with URL and title added for each link that a row names.
    private func describingLinks(in rows: [JSONObject], by dimensions: [Dimension]) async throws -> [JSONObject] {
        guard dimensions.contains(.link) else { return rows }
        return try await storage.read { [baseURL] reader in
            try rows.map { row in
                let id = row[Dimension.link.rawValue]?.string.flatMap { Int64($0) }.map(Link.ID.init(rawValue:))
                let link = try id.flatMap { $0 == .long ? nil : try reader.link($0) }
                // All long links share one id, so they are counted as one.
                let title = id == .long ? "long links" : link?.title
                return row.merging(["url": JSON(link.map { baseURL.url(of: $0) }), "title": JSON(title)])
            }
        }
    }

    /// - Parameter days: the number of days after the span that are read as well.
    private func missingRows(
        of logs: [ActivityLog], in span: AnalyticsSpan, following days: Int, _ scope: Scope
    ) async throws -> MissingRows {
        try await storage.analyze(scope) { reader in
            var missing = MissingRows()
            for log in logs { missing.add(try reader.missingRows(of: log, in: span.start..<span.end, topics: nil, scope)) }
            let after = span.end..<span.end + .seconds(86400 * days)
            for log in logs { missing.erased += try reader.missingRows(of: log, in: after, topics: nil, scope).erased }
            return missing
        }
    }
}

extension MissingRows {
    mutating func add(_ other: MissingRows) {
        keptSince = [keptSince, other.keptSince].compactMap { $0 }.max()
        erased += other.erased
    }
}

extension Reader {
    /// Returns the rows that a log lacks in a time range.
    ///
    /// - Parameter topics: the topics whose erased rows are counted; nil for all topics of the log.
    func missingRows(of log: ActivityLog, in time: Range<Timestamp>, topics: [Topic]?, _ scope: Scope) throws -> MissingRows {
        let pruned = try prunedThrough(log)
        var missing = MissingRows(
            keptSince: pruned >= IDGenerator.first(at: time.lowerBound)
                ? IDGenerator.time(of: pruned) + .milliseconds(1) : nil)
        let hours = time.lowerBound.hour..<max(time.lowerBound.hour, (time.upperBound - .milliseconds(1)).hour + 1)
        for topic in topics ?? Topic.allCases where topic.log == log {
            missing.erased += try rollupChanges(of: scope, topic, hours: hours).values.reduce(0) { $0 + $1.removed }
        }
        return missing
    }
}

extension Link {
    /// The title shown to readers: that of the dashboard, otherwise that of previews.
    package var title: String? { data["$marketing_title"]?.scalarText ?? data["$og_title"]?.scalarText }
}
