import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

extension Installation {
    /// Compares the results of many random queries with the test's own counts, and audits every day's counters.
    func expectFiguresOf(_ traffic: Traffic) async throws {
        var dice = traffic.dice
        let facts = traffic.facts
        guard let first = facts.first?.time, let last = facts.last?.time else { return }
        for _ in 0..<60 {
            let zone = try AnalyticsSpan.zone(named: dice.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"]))
            let start = first - .seconds(3600) + .milliseconds(Int64(dice.roll(40_000_000)))
            let end = start + .milliseconds(Int64(dice.roll(Int(last.milliseconds - first.milliseconds)) + 1))
            let filter = try dice.pick(
                [
                    [], [.init("channel=mail")], [.init("!channel=mail,")], [.init("name=PURCHASE")], [.init("country=DE,FR")],
                    [.init("attributed=true"), .init("!user_data_platform=ROBOT")], [.init("name=INSTALL,LOGIN")],
                    [.init("os=IOS")], [.init("!browser=Instagram")],
                ] as [[AnalyticsQuery.Filter]])
            var query = try AnalyticsQuery(
                scope: dice.pick(Traffic.scopes),
                topics: dice.pick([[.click], [.install, .open], Topic.allCases, [.commerceEvent, .customEvent]]),
                span: try AnalyticsSpan(start: start, end: end, zone: zone),
                dimensions: dice.pick([
                    [], [.channel], [.name], [.platform, .country], [.channel, .name], [.link], [.attributed],
                    [.attributed, .name], [.channel, .attributed], [.attributed, .feature, .name],
                    [.userPlatform, .channel], [.os], [.browser], [.language], [.referrer], [.hourOfDay], [.hourOfDay, .name],
                    [.os, .hourOfDay],
                ]),
                filters: filter,
                aggregation: dice.pick([.totalCount, .uniqueCount, .revenue]), granularity: dice.pick([.hour, .day, .all]),
                limit: 10_000)
            let asOf = start + .milliseconds(Int64(dice.roll(Int(end.milliseconds - start.milliseconds) * 2)))
            if dice.roll(2) == 0 { query.asOf = asOf }
            let answer = try await services.analytics.counts(query)
            var given: [String: Int128] = [:]
            for row in answer.rows { given[row.period.startText + " " + row.values.joined(separator: "|")] = row.figure }
            var expected: [String: Int128] = [:]
            var seen: Set<String> = []
            let periods = query.span.periods(query.granularity)
            for fact in facts where fact.scope == query.scope && query.topics.contains(fact.topic) {
                guard fact.time < query.asOf ?? .init(milliseconds: .max) else { continue }
                var values = fact.values
                values[.hourOfDay] = query.span.hourOfDay(of: fact.time)
                let isWanted = query.filters.allSatisfy { $0.values.contains(values[$0.dimension] ?? "") != $0.isNegated }
                guard isWanted, let period = periods.first(where: { $0.start <= fact.time && fact.time < $0.end }) else { continue }
                let key = period.startText + " " + query.dimensions.map { values[$0] ?? "" }.joined(separator: "|")
                switch query.aggregation {
                case .cost, .localCost: break
                case .totalCount: expected[key, default: 0] += 1
                case .revenue: expected[key, default: 0] += Int128(fact.revenue)
                case .uniqueCount:
                    // A click's browser and a device are counted separately, though they share a number here.
                    let isNew = seen.insert(key + (fact.topic == .click ? " c\(fact.actor)" : " d\(fact.actor)")).inserted
                    expected[key, default: 0] += isNew ? 1 : 0
                }
            }
            #expect(given == expected)
        }
        for day in first.day...last.day { try await expectNoProblems(on: day) }
    }

    func expectNoProblems(on day: Int64? = nil) async throws {
        #expect(try await problems(on: day) == [])
    }

    func problems(on day: Int64? = nil) async throws -> [String] {
        var problems: [String] = []
        for check in RollupChecks.all(day: day ?? clock.now.day) {
            problems += try await services.verification.result(of: check).problems
        }
        return problems
    }
}
