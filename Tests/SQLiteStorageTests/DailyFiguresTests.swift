import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Figures of many days, which are read at once.
@Suite struct DailyFiguresTests {
    private static let scope = Traffic.scopes[0]

    @Test(arguments: [true, false])
    func daysReadAtOnceHaveTheFiguresOfEachDayReadAlone(isAggregated: Bool) async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 12)
            try await traffic.happen(3000, in: installation)
            if isAggregated { try await installation.services.rollups.aggregate() }
            try await traffic.happen(200, in: installation)
            let analytics = installation.services.analytics
            let today = installation.clock.now.day
            // The first and the last day are read in part.
            let start = Timestamp(hour: (today - 6) * 24) + .seconds(3600 * 5)
            let end = Timestamp(hour: today * 24) + .seconds(3600 * 7 + 11)
            let unattributed = try AnalyticsQuery.Filter("attributed=false")
            let questions: [(topics: [Topic], filters: [AnalyticsQuery.Filter])] = [
                ([.click], []), ([.install, .open], []), (Topic.allCases, []), ([.install], [unattributed]),
                ([.install, .open], [unattributed]), ([.install, .commerceEvent], [unattributed]),
            ]
            for (topics, filters) in questions {
                for aggregation in [AnalyticsQuery.Aggregation.totalCount, .revenue] {
                    let query = try AnalyticsQuery(
                        scope: Self.scope, topics: topics, span: try AnalyticsSpan(start: start, end: end), filters: filters,
                        aggregation: aggregation, granularity: .day, fillsZeros: true)
                    let rows = try await analytics.counts(query).rows
                    #expect(rows.count == 7)
                    for row in rows {
                        var alone = query
                        (alone.span, alone.granularity) = (row.period, .all)
                        #expect(try await analytics.counts(alone).rows.map(\.figure) == [row.figure])
                    }
                }
            }
        }
    }

    @Test func severalQueriesAreAnsweredInTheirOrder() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 13)
            try await traffic.happen(500, in: installation)
            let day = installation.clock.now.day
            let span = try AnalyticsSpan(start: Timestamp(hour: (day - 2) * 24), end: Timestamp(hour: day * 24 + 24))
            let queries = try [[.click], [.open], [.install]].map { (topics: [Topic]) in
                try AnalyticsQuery(scope: Self.scope, topics: topics, span: span, dimensions: [.channel])
            }
            let answers = try await installation.services.analytics.counts(queries, of: Self.scope)
            #expect(answers.count == 3)
            for (query, answer) in zip(queries, answers) {
                #expect(try await installation.services.analytics.counts(query).rows == answer.rows)
            }
        }
    }
}
