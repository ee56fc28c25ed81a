import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The figures of an app for a period and the one before, and the values of dimensions with the most clicks in the period.
struct OverviewFigures: Sendable {
    struct Top: Sendable {
        let name: String
        var note: String?
        /// The value of the dimension; empty for none.
        let value: String
        /// Whether the value is the id of a link that has a page.
        var isLink = false
        let clicks: Int64
    }

    /// A figure of one or several days.
    struct Amount: Sendable, Equatable {
        /// The figure as a chart draws it: a count, whole units of revenue, or percent.
        let drawn: Int64
        /// The figure as it is written.
        let text: String
    }

    /// The dimensions with a table, each of which has daily or hourly totals of clicks: the page reads no row of the log for them.
    static let dimensions: [Dimension] = [
        .link, .channel, .campaign, .referrer, .country, .language, .platform, .os, .browser, .hourOfDay,
    ]

    let period: OverviewPeriod
    /// The days of both periods in order, such as `2027-01-31`; of one day the hours, such as `2027-01-31T12:00`.
    let dates: [String]
    /// The figure of each day, in the order of ``dates``: revenue in millionths, of matched installs their number.
    let daily: [OverviewMeasure: [Int128]]
    /// Without the dimensions that have too many values.
    let tops: [Dimension: [Top]]
    /// The visits of robots in the period and in the one before.
    var robots = PeriodComparison(0, after: 0)
    /// The number of hours of today that have begun; nil for periods of days.
    var hours: Int?

    var isEmpty: Bool { daily.values.allSatisfy { $0.allSatisfy { $0 == 0 } } }
    /// The days of the period, and of the one before, as indices of ``dates``. Of one day the hours that have begun, and the same of
    /// yesterday.
    var current: Range<Int> { dates.count / 2..<dates.count / 2 + (hours ?? dates.count / 2) }
    var previous: Range<Int> { 0..<(hours ?? dates.count / 2) }
    /// The whole period before.
    var wholePrevious: Range<Int> { 0..<dates.count / 2 }

    /// Returns the days of each point of the chart. The last point ends with the last day; the first may have fewer days.
    func steps(of days: Range<Int>) -> [Range<Int>] {
        let ends = stride(from: days.upperBound, to: days.lowerBound, by: -period.step)
        return ends.map { max(days.lowerBound, $0 - period.step)..<$0 }.reversed()
    }

    func sum(_ measure: OverviewMeasure, on days: Range<Int>) -> Int128 { daily[measure]?[days].reduce(0, +) ?? 0 }

    func amount(_ measure: OverviewMeasure, on days: Range<Int>) -> Amount {
        let sum = sum(measure, on: days)
        switch measure {
        case .clicks, .installs, .opens, .events:
            return Amount(drawn: Int64(clamping: sum), text: Int64(clamping: sum).grouped)
        case .revenue:
            return Amount(drawn: Int64(clamping: sum / 1_000_000), text: Int64(clamping: sum / 10_000).asHundredths)
        case .matched:
            let installs = self.sum(.installs, on: days)
            guard installs > 0 else { return Amount(drawn: 0, text: "none") }
            let percent = Int64(clamping: (sum * 200 + installs) / (2 * installs))
            return Amount(drawn: percent, text: "\(percent) %")
        }
    }

    /// The change of a figure from the period before, in a few words; nil if there is none.
    func change(_ measure: OverviewMeasure) -> String? {
        let before = amount(measure, on: previous).text
        guard measure != .matched else { return sum(.installs, on: previous) > 0 ? before + " before" : nil }
        let comparison = PeriodComparison(current: sum(measure, on: current), previous: sum(measure, on: previous))
        return comparison.change ?? (comparison.current > 0 ? "none before" : nil)
    }
}

extension OverviewFigures {
    /// Asks the analytics, which answer the questions of the cards from one view of the rollups, and those of the tables from another, which
    /// may be a minute old if the app is large.
    init(
        of scope: Scope, _ period: OverviewPeriod, from analytics: AnalyticsService, _ statistics: LinkStatisticsService,
        _ recent: RecentAnswers, now: Timestamp
    ) async throws {
        let figures = try await analytics.counts(try Self.figureQueries(of: scope, period, now: now), of: scope)
        let (tops, captions) = try await recent.answer(
            to: "overview \(period) \(now.day)", of: scope, inTurn: { try await analytics.inTurn(of: scope, $0) }
        ) {
            let answers = try await analytics.allowedCounts(try Self.topQueries(of: scope, period, now: now), of: scope)
            // The first dimension is that of links.
            let links = answers[0]?.rows.compactMap(\.values.first) ?? []
            return (answers.map { $0?.rows }, try await analytics.captions(of: Set(links), in: scope))
        }
        self.init(period, figures.map(\.rows), tops: tops, captions: captions)
        if period == .day { hours = Int(now.hour - now.day * 24) + 1 }
        let visits = try await statistics.robotVisits(of: scope, in: period.hours(at: now))
        robots = PeriodComparison(visits[0], after: visits[1])
    }

    /// The queries of the figures, in the order of ``OverviewMeasure``.
    static func figureQueries(of scope: Scope, _ period: OverviewPeriod, now: Timestamp) throws -> [AnalyticsQuery] {
        try OverviewMeasure.allCases.map { try byDay($0, period, of: scope, now: now) }
    }

    /// The queries of the tables, in the order of ``dimensions``.
    static func topQueries(of scope: Scope, _ period: OverviewPeriod, now: Timestamp) throws -> [AnalyticsQuery] {
        try dimensions.map { try top($0, period, of: scope, now: now) }
    }

    /// - Parameters:
    ///   - answers: the rows of the answers to ``figureQueries(of:_:now:)``, in their order.
    ///   - tops: those of ``topQueries(of:_:now:)``; nil for a dimension with too many values.
    ///   - captions: those of links, by their ids.
    init(
        _ period: OverviewPeriod, _ answers: [[AnalyticsAnswer.Row]], tops: [[AnalyticsAnswer.Row]?],
        captions: [String: LinkCaption]
    ) {
        var daily = Dictionary(uniqueKeysWithValues: zip(OverviewMeasure.allCases, answers.map { $0.map(\.figure) }))
        daily[.matched] = zip(daily[.installs] ?? [], daily[.matched] ?? []).map { $0 - $1 }
        self.init(
            period: period, dates: answers[0].map { String($0.period.startText.prefix(period == .day ? 16 : 10)) }, daily: daily,
            tops: Dictionary(
                uniqueKeysWithValues: zip(Self.dimensions, tops).compactMap { dimension, rows in
                    rows.map { (dimension, $0.map { Top($0, of: dimension, captions) }) }
                }))
    }

    /// The figure of each day of both periods; of matched installs the number of those that are not matched, of which there is a daily
    /// total.
    private static func byDay(
        _ measure: OverviewMeasure, _ period: OverviewPeriod, of scope: Scope, now: Timestamp
    ) throws -> AnalyticsQuery {
        var parameters = AnalyticsParameters()
        parameters.from = "\(2 * period.days)d"
        if period == .day { parameters.granularity = Granularity.hour.rawValue }
        parameters.topics = measure.topics.map(\.rawValue)
        if measure == .revenue { parameters.aggregation = AnalyticsQuery.Aggregation.revenue.rawValue }
        if measure == .matched { parameters.filters = ["\(Dimension.attributed.rawValue)=false"] }
        parameters.fillsZeros = true
        return try parameters.counts(of: scope, now: now)
    }

    private static func top(
        _ dimension: Dimension, _ period: OverviewPeriod, of scope: Scope, now: Timestamp
    ) throws -> AnalyticsQuery {
        var parameters = AnalyticsParameters()
        parameters.from = period.rawValue
        parameters.by = [dimension.rawValue]
        parameters.limit = 5
        return try parameters.top(of: scope, now: now)
    }
}

extension OverviewFigures.Top {
    /// - Parameter captions: those of links.
    fileprivate init(_ row: AnalyticsAnswer.Row, of dimension: Dimension, _ captions: [String: LinkCaption]) {
        let value = row.values.first ?? ""
        let caption = dimension == .link ? captions[value] : nil
        let (title, url) = (caption?.title, caption?.url)
        self.init(
            name: title ?? url ?? Self.name(of: value, dimension), note: title == nil ? nil : url, value: value,
            isLink: url != nil, clicks: Int64(clamping: row.figure))
    }

    private static func name(of value: String, _ dimension: Dimension) -> String {
        guard !value.isEmpty else { return "(none)" }
        return switch dimension {
        case .os: LiveRow.systems[value] ?? value
        case .hourOfDay: "\(value):00 to \(value):59"
        default: value
        }
    }
}
