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

    static let dimensions: [Dimension] = [.link, .channel, .campaign, .country, .platform]

    let period: OverviewPeriod
    /// The days of both periods in order, such as `2027-01-31`.
    let dates: [String]
    /// The figure of each day, in the order of ``dates``: revenue in millionths, of matched installs their number.
    let daily: [OverviewMeasure: [Int128]]
    let tops: [Dimension: [Top]]

    var isEmpty: Bool { daily.values.allSatisfy { $0.allSatisfy { $0 == 0 } } }
    /// The days of the period, and of the one before, as indices of ``dates``.
    var current: Range<Int> { dates.count / 2..<dates.count }
    var previous: Range<Int> { 0..<dates.count / 2 }

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
    /// Asks the analytics, which answer all questions from one view of the rollups.
    init(of scope: Scope, _ period: OverviewPeriod, from analytics: AnalyticsService, now: Timestamp) async throws {
        let measures = OverviewMeasure.allCases
        var answers = try await analytics.counts(
            try measures.map { try Self.byDay($0, period, of: scope, now: now) }
                + Self.dimensions.map { try Self.top($0, period, of: scope, now: now) }, of: scope
        ).map(\.rows)
        let tops = Array(answers.suffix(Self.dimensions.count))
        answers.removeLast(tops.count)
        var daily = Dictionary(uniqueKeysWithValues: zip(measures, answers.map { $0.map(\.figure) }))
        daily[.matched] = zip(daily[.installs] ?? [], daily[.matched] ?? []).map { $0 - $1 }
        let captions = try await analytics.captions(of: Set(tops[0].compactMap(\.values.first)), in: scope)
        self.init(
            period: period, dates: answers[0].map { String($0.period.startText.prefix(10)) }, daily: daily,
            tops: Dictionary(
                uniqueKeysWithValues: zip(Self.dimensions, tops).map { dimension, rows in
                    (dimension, rows.map { Top($0, dimension == .link ? captions : nil) })
                }))
    }

    /// The figure of each day of both periods; of matched installs the number of those that are not matched, of which there is a daily
    /// total.
    private static func byDay(
        _ measure: OverviewMeasure, _ period: OverviewPeriod, of scope: Scope, now: Timestamp
    ) throws -> AnalyticsQuery {
        var parameters = AnalyticsParameters()
        parameters.from = "\(2 * period.days)d"
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
    /// - Parameter captions: those of links; nil for other dimensions.
    fileprivate init(_ row: AnalyticsAnswer.Row, _ captions: [String: LinkCaption]?) {
        let value = row.values.first ?? ""
        let (title, url) = (captions?[value]?.title, captions?[value]?.url)
        self.init(
            name: title ?? url ?? (value.isEmpty ? "(none)" : value), note: title == nil ? nil : url, value: value,
            isLink: url != nil, clicks: Int64(clamping: row.figure))
    }
}
