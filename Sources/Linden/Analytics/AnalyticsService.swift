/// Answers analytics queries: from rollups where these suffice, otherwise from rows.
package struct AnalyticsService: Sendable {
    let storage: any Storage
    let clock: WallClock
    let baseURL: BaseURL
    /// The maximum number of log rows that one question may read, which takes some seconds of a reader's time.
    let rowLimit: Int

    /// The maximum number of rows of an answer, over all pages.
    private static let mostRows = 1_000_000

    package init(storage: any Storage, clock: WallClock, baseURL: BaseURL, rowLimit: Int = 5_000_000) {
        self.storage = storage
        self.clock = clock
        self.baseURL = baseURL
        self.rowLimit = rowLimit
    }

    /// Fails with `invalid` if the answer would have more than a million rows, or would read more rows than ``rowLimit``.
    package func counts(_ query: AnalyticsQuery) async throws -> AnalyticsAnswer {
        try await counts(query, rowLimit: rowLimit).answer
    }

    /// Returns the number of log rows read as well.
    func counts(_ query: AnalyticsQuery, rowLimit: Int) async throws -> (answer: AnalyticsAnswer, rowsRead: Int) {
        try await storage.analyze(query.scope) { reader in
            let reading = AggregateReader(of: query, from: reader, rowLimit: rowLimit)
            var everywhere: Set<[String]> = query.dimensions.isEmpty ? [[]] : []
            var periods: [(span: AnalyticsSpan, figures: [[String]: Int128])] = []
            var rows = 0
            for period in query.span.periods(query.granularity) where period.start < query.asOf ?? period.end {
                let figures = try reading.figures(in: period)
                periods.append((period, figures))
                if query.fillsZeros { everywhere.formUnion(figures.keys) }
                rows = query.fillsZeros ? everywhere.count * periods.count : rows + figures.count
                guard rows <= Self.mostRows else {
                    throw Failure.invalid("The result has more than a million rows. Use a shorter span or fewer dimensions.")
                }
            }
            return (query.answer(periods, everywhere, reading), reading.rowsRead)
        }
    }

    /// The watermark: the moment up to which no more rows will be committed.
    package var settledUntil: Timestamp { clock.now() - .seconds(2) }
}

extension AnalyticsQuery {
    fileprivate func answer(
        _ periods: [(span: AnalyticsSpan, figures: [[String]: Int128])], _ everywhere: Set<[String]>, _ reading: AggregateReader
    ) -> AnalyticsAnswer {
        var rows: [AnalyticsAnswer.Row] = []
        var total = 0
        var hasMore = false
        for period in isLatestFirst ? periods.reversed() : periods {
            var figures = period.figures
            if fillsZeros { for values in everywhere where figures[values] == nil { figures[values] = 0 } }
            let sorted = figures.map { AnalyticsAnswer.Row(period: period.span, values: $0.key, figure: $0.value) }
                .sorted(by: precedes)
            rows += sorted.dropFirst(offset).prefix(limit)
            total += sorted.count
            hasMore = hasMore || sorted.count > offset + limit
        }
        return AnalyticsAnswer(
            rows: rows, totalRows: total, hasMore: hasMore, isEstimated: reading.isEstimated, missing: reading.missing)
    }

    /// Orders rows with equal figures by their values, so that pages never overlap.
    private func precedes(_ left: AnalyticsAnswer.Row, _ right: AnalyticsAnswer.Row) -> Bool {
        if let orderedBy, let column = dimensions.firstIndex(of: orderedBy), left.values[column] != right.values[column] {
            return (left.values[column] < right.values[column]) == (order == .ascending)
        }
        if orderedBy == nil, left.figure != right.figure { return (left.figure < right.figure) == (order == .ascending) }
        return left.values.lexicographicallyPrecedes(right.values)
    }
}
