import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The figures of an app for the last 30 days and the 30 days before, and the links, channels and campaigns with the most clicks.
struct OverviewFigures: Sendable {
    enum Measure: String, CaseIterable, Sendable {
        case clicks, installs, opens, events

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

        /// The topics that are counted, as the analytics call them.
        var topics: [Topic] {
            switch self {
            case .clicks: [.click]
            case .installs: [.install]
            case .opens: [.open]
            case .events: [.commerceEvent, .contentEvent, .userLifecycleEvent, .customEvent]
            }
        }
    }

    struct Top: Sendable {
        let name: String
        var note: String?
        /// The link's id; nil for other dimensions.
        var link: String?
        let clicks: Int64
    }

    static let days = 30

    /// The days of both periods in order, such as `2027-01-31`.
    let dates: [String]
    /// The figure of each day, in the order of ``dates``.
    let daily: [Measure: [Int64]]
    let channels: [Top]
    let campaigns: [Top]
    let links: [Top]

    func current(_ measure: Measure) -> [Int64] { Array((daily[measure] ?? []).suffix(Self.days)) }
    func previous(_ measure: Measure) -> [Int64] { Array((daily[measure] ?? []).dropLast(Self.days).suffix(Self.days)) }
    var currentDates: [String] { Array(dates.suffix(Self.days)) }

    /// Returns the change from one total to the next, such as `+12 %`; nil if there is nothing to compare with.
    static func change(from previous: Int64, to current: Int64) -> String? {
        guard previous > 0 else { return nil }
        let percent = ((Double(current) - Double(previous)) / Double(previous) * 100).rounded()
        return percent > 0 ? "+\(Int64(percent).grouped) %" : "\(Int64(percent).grouped) %"
    }
}

extension OverviewFigures {
    /// Asks the analytics, which answer all questions from one view of the rollups.
    init(of scope: Scope, from analytics: AnalyticsService, now: Timestamp) async throws {
        let measures = Measure.allCases
        var answers = try await analytics.counts(
            try measures.map { try Self.byDay($0, of: scope, now: now) }
                + ["channel", "campaign", "link"].map { try Self.top($0, of: scope, now: now) }, of: scope
        ).map(\.rows)
        let tops = Array(answers.suffix(3))
        answers.removeLast(3)
        dates = answers[0].map { String($0.period.startText.prefix(10)) }
        daily = Dictionary(
            uniqueKeysWithValues: zip(measures, answers).map { ($0, $1.map { Int64(clamping: $0.figure) }) })
        (channels, campaigns) = (tops[0].map(Top.init(label:)), tops[1].map(Top.init(label:)))
        let captions = try await analytics.captions(of: Set(tops[2].compactMap(\.values.first)), in: scope)
        links = tops[2].map { Top(link: $0, captions) }
    }

    private static func byDay(_ measure: Measure, of scope: Scope, now: Timestamp) throws -> AnalyticsQuery {
        var parameters = AnalyticsParameters()
        parameters.from = "\(2 * days)d"
        parameters.topics = measure.topics.map(\.rawValue)
        parameters.fillsZeros = true
        return try parameters.counts(of: scope, now: now)
    }

    private static func top(_ dimension: String, of scope: Scope, now: Timestamp) throws -> AnalyticsQuery {
        var parameters = AnalyticsParameters()
        parameters.from = "\(days)d"
        parameters.by = [dimension]
        parameters.limit = 5
        return try parameters.top(of: scope, now: now)
    }
}

extension OverviewFigures.Top {
    fileprivate init(label row: AnalyticsAnswer.Row) {
        let value = row.values.first ?? ""
        self.init(name: value.isEmpty ? "(none)" : value, clicks: Int64(clamping: row.figure))
    }

    fileprivate init(link row: AnalyticsAnswer.Row, _ captions: [String: LinkCaption]) {
        let value = row.values.first ?? ""
        let (title, url) = (captions[value]?.title, captions[value]?.url)
        self.init(
            name: title ?? url ?? (value.isEmpty ? "(none)" : value), note: title == nil ? nil : url,
            link: url == nil ? nil : value, clicks: Int64(clamping: row.figure))
    }
}
