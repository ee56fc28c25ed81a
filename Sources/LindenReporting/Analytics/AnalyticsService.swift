import Linden
import LindenKernel

/// Answers analytics queries: from rollups where these suffice, otherwise from rows.
package struct AnalyticsService: Sendable {
    let storage: any ReportingStorage
    let clock: WallClock
    let baseURL: BaseURL
    /// The maximum number of log rows that one question may read, which takes some seconds of a reader's time.
    let rowLimit: Int
    let deviceLimit: InstalledDeviceLimit
    let cohortLimit: CohortLimit
    private let turns = AnswerTurns<App.ID>(of: "questions")

    package init(
        storage: any ReportingStorage, clock: WallClock, baseURL: BaseURL, rowLimit: Int = 5_000_000,
        deviceLimit: InstalledDeviceLimit = InstalledDeviceLimit(), cohortLimit: CohortLimit = CohortLimit()
    ) {
        self.storage = storage
        self.clock = clock
        self.baseURL = baseURL
        self.rowLimit = rowLimit
        self.deviceLimit = deviceLimit
        self.cohortLimit = cohortLimit
    }

    /// Fails with `invalid` if the answer would have more than ``AnalyticsQuery/mostRows`` rows, or more than
    /// ``AnalyticsQuery/mostGroups`` on all pages, or would read more rows than ``rowLimit``.
    package func counts(_ query: AnalyticsQuery) async throws -> AnalyticsAnswer {
        try await counts(query, rowLimit: rowLimit, mostRows: AnalyticsQuery.mostRows).answer
    }

    /// Returns the number of log rows read as well.
    ///
    /// - Parameter mostRows: the maximum number of rows of the answer.
    func counts(
        _ query: AnalyticsQuery, rowLimit: Int, mostRows: Int
    ) async throws -> (answer: AnalyticsAnswer, rowsRead: Int) {
        try await storage.analyze(query.scope) { try query.answer(from: $0, rowLimit: rowLimit, mostRows: mostRows) }
    }

    /// Answers several queries of one app from one view of the data. They wait once for the app's turn. Fails as ``counts(_:)`` does.
    package func counts(_ queries: [AnalyticsQuery], of scope: Scope) async throws -> [AnalyticsAnswer] {
        try await storage.analyze(scope) { [rowLimit] reader in
            try queries.map { try $0.answer(from: reader, rowLimit: rowLimit) }
        }
    }

    /// Variant of ``counts(_:of:)`` with nil for each query whose answer would be larger than is allowed.
    package func allowedCounts(_ queries: [AnalyticsQuery], of scope: Scope) async throws -> [AnalyticsAnswer?] {
        try await storage.analyze(scope) { [rowLimit] reader in
            try queries.map { query in
                do {
                    return try query.answer(from: reader, rowLimit: rowLimit)
                } catch let failure as Failure where failure.code == .invalid {
                    return nil
                }
            }
        }
    }

    /// The watermark: the moment up to which no more rows will be committed.
    package var settledUntil: Timestamp { Watermark.settled(at: clock.now()) }

    // MARK: Questions

    /// Runs `work`, which asks a question and makes something of the reply, such as a file, in the app's turn, see ``AnswerTurns``.
    package func inTurn<Value: Sendable>(of scope: Scope, _ work: @Sendable () async throws -> Value) async throws -> Value {
        try await turns.run(of: scope.app) {
            defer { FreeMemory.giveBack() }
            return try await work()
        }
    }

    /// Answers a question of the command line, of HTTP or of the dashboard. A server does so within ``inTurn(of:_:)``.
    ///
    /// - Parameters:
    ///   - compares: whether counts and top lists have the figures of the period before, too.
    ///   - bytes: the most bytes of titles and addresses of links. Fails with `invalid` beyond.
    package func reply(
        to question: AnalyticsQuestion, _ parameters: AnalyticsParameters, of scope: Scope, compares: Bool = false,
        upTo bytes: Int = AnalyticsService.mostCaptionBytes
    ) async throws -> AnalyticsReply {
        let now = clock.now()
        switch question {
        case .counts:
            let query = try parameters.counts(of: scope, now: now)
            return try await reply(to: query, compares: compares, upTo: bytes) { .counts($0, query) }
        case .top:
            let query = try parameters.top(of: scope, now: now)
            return try await reply(to: query, compares: compares, upTo: bytes) { .top($0, query) }
        case .funnel:
            let query = try parameters.funnel(of: scope, now: now)
            let funnels = try await funnels(query)
            return AnalyticsReply(
                rows: .funnels(funnels, by: query.dimension),
                links: query.dimension == .link ? try await captions(of: Set(funnels.map(\.value)), in: scope, upTo: bytes) : nil,
                missing: try await missingRows(of: [.sessions, .events], in: query.span, following: query.days, scope),
                warnings: try await warnings(aboutEvents: [query.event], in: scope))
        case .cohort:
            let query = try parameters.cohort(of: scope, now: now)
            return AnalyticsReply(
                rows: .cohorts(try await cohorts(query)),
                missing: try await missingRows(of: [.sessions], in: query.span, following: query.days, scope))
        case .attribution:
            let span = try parameters.span(now)
            let summary = try await storage.analyze(scope) { [rowLimit] reader in
                try AttributionSummary(of: scope, in: span, from: reader, rowLimit: rowLimit)
            }
            return AnalyticsReply(
                rows: .attribution(summary), missing: try await missingRows(of: [.sessions], in: span, following: 0, scope))
        case .lifetimeValue:
            let query = try parameters.lifetimeValue(of: scope, now: now)
            let values = try await lifetimeValues(query)
            return AnalyticsReply(
                rows: .lifetimeValues(values, by: query.dimension),
                links: query.dimension == .link ? try await captions(of: Set(values.map(\.value)), in: scope, upTo: bytes) : nil,
                missing: try await missingRows(of: [.sessions, .events], in: query.span, following: query.days, scope))
        }
    }

    private func reply(
        to query: AnalyticsQuery, compares: Bool, upTo bytes: Int, _ rows: ([AnalyticsAnswer.Row]) -> AnalyticsReply.Rows
    ) async throws -> AnalyticsReply {
        let (answer, previous) = compares ? try await comparedCounts(query) : (try await counts(query), nil)
        let column = query.dimensions.firstIndex(of: .link)
        var links: [String: LinkCaption]?
        if let column { links = try await captions(of: Set(answer.rows.map { $0.values[column] }), in: query.scope, upTo: bytes) }
        return AnalyticsReply(
            rows: rows(answer.rows), links: links, totalRows: answer.totalRows, isEstimated: answer.isEstimated,
            missing: answer.missing, warnings: try await warnings(aboutEvents: query.filteredNames, in: query.scope),
            previous: previous)
    }

    /// Answers a query, and the same for the period before from the same view of the data; nil for the latter if that would have more rows, or
    /// read more, than is allowed.
    private func comparedCounts(_ query: AnalyticsQuery) async throws -> (answer: AnalyticsAnswer, previous: PreviousFigures?) {
        try await storage.analyze(query.scope) { [rowLimit] reader in
            let (answer, rowsRead) = try query.answer(from: reader, rowLimit: rowLimit, mostRows: AnalyticsQuery.mostRows)
            let earlier = query.aboutPreviousPeriod
            do {
                let before = try earlier.answer(
                    from: reader, rowLimit: rowLimit - rowsRead, mostRows: AnalyticsQuery.mostRows
                ).answer
                return (answer, PreviousFigures(before.rows, of: earlier))
            } catch let failure as Failure where failure.code == .invalid {
                return (answer, nil)
            }
        }
    }

    private func warnings(aboutEvents names: [String], in scope: Scope) async throws -> [String] {
        guard !names.isEmpty else { return [] }
        return try await storage.analyze(scope) { try $0.warnings(aboutEvents: names.map { EventName($0) }, in: scope) }
    }

    /// - Parameter days: the number of days after the span that are read as well.
    private func missingRows(
        of logs: [ActivityLog], in span: AnalyticsSpan, following days: Int, _ scope: Scope
    ) async throws -> MissingRows {
        try await storage.analyze(scope) { reader in
            var missing = MissingRows()
            for log in logs {
                missing.add(try MissingRows(of: log, in: span.start..<span.end, topics: nil, scope, from: reader))
            }
            let after = span.end..<span.end + .seconds(86400 * days)
            for log in logs {
                missing.erased += try MissingRows(of: log, in: after, topics: nil, scope, from: reader).erased
            }
            return missing
        }
    }
}

extension AnalyticsQuery {
    fileprivate func answer(from reader: any AnalyticsReader, rowLimit: Int) throws -> AnalyticsAnswer {
        try answer(from: reader, rowLimit: rowLimit, mostRows: Self.mostRows).answer
    }

    /// Returns the answer, and the number of log rows read.
    fileprivate func answer(
        from reader: any AnalyticsReader, rowLimit: Int, mostRows: Int
    ) throws -> (answer: AnalyticsAnswer, rowsRead: Int) {
        let reading = AggregateReader(of: self, from: reader, rowLimit: rowLimit)
        let spans = span.periods(granularity).filter { $0.start < asOf ?? $0.end }
        let days = try reading.dailyFigures(of: spans)
        var everywhere: Set<GroupValues> = dimensions.isEmpty ? [[]] : []
        var periods: [(span: AnalyticsSpan, figures: [GroupValues: Int128])] = []
        var rows = 0
        for (index, period) in spans.enumerated() {
            let figures = try days[index] ?? reading.figures(in: period)
            periods.append((period, figures))
            if fillsZeros { everywhere.formUnion(figures.keys) }
            rows = fillsZeros ? everywhere.count * periods.count : rows + figures.count
            try GroupLimit.check(rows)
        }
        try checkPage(periods.map { fillsZeros ? everywhere.count : $0.figures.count }, mostRows: mostRows)
        return (answer(periods, everywhere, reading), reading.rowsRead)
    }

    /// Fails with `invalid` if the answer would have more rows than allowed. The limit of a query applies to each period.
    ///
    /// - Parameter counts: the number of rows of each period on all pages.
    fileprivate func checkPage(_ counts: [Int], mostRows: Int) throws {
        let rows = counts.reduce(0) { $0 + min(limit, max(0, $1 - offset)) }
        guard rows > mostRows else { return }
        throw Failure.invalid(
            "The answer would have \(rows) rows over all periods; at most \(mostRows) are allowed. With these \(counts.count) "
                + "periods, limit may be \(mostRows / counts.count). A longer granularity, a shorter span or fewer dimensions give fewer rows."
        )
    }

    fileprivate func answer(
        _ periods: [(span: AnalyticsSpan, figures: [GroupValues: Int128])], _ everywhere: Set<GroupValues>,
        _ reading: AggregateReader
    ) -> AnalyticsAnswer {
        var rows: [AnalyticsAnswer.Row] = []
        var total = 0
        var hasMore = false
        for period in isLatestFirst ? periods.reversed() : periods {
            var figures = period.figures
            if fillsZeros { for values in everywhere where figures[values] == nil { figures[values] = 0 } }
            var sorted = figures.map { AnalyticsAnswer.Row(period: period.span, values: $0.key.texts, figure: $0.value) }
            sorted.sort(by: precedes)
            rows += sorted.dropFirst(offset).prefix(limit)
            total += sorted.count
            hasMore = hasMore || sorted.count > offset + limit
        }
        return AnalyticsAnswer(
            rows: rows, totalRows: total, hasMore: hasMore, isEstimated: reading.isEstimated, missing: reading.missing)
    }

    /// Orders rows with equal figures by their values, so that pages never overlap.
    private func precedes(_ left: AnalyticsAnswer.Row, _ right: AnalyticsAnswer.Row) -> Bool {
        if let orderedBy, let column = dimensions.firstIndex(of: orderedBy) {
            let (first, second) = (left.values[column], right.values[column])
            if first.isBeforeByBytes(second) { return order == .ascending }
            if second.isBeforeByBytes(first) { return order != .ascending }
        }
        if orderedBy == nil, left.figure != right.figure { return (left.figure < right.figure) == (order == .ascending) }
        return GroupValues(left.values).precedes(GroupValues(right.values))
    }
}
