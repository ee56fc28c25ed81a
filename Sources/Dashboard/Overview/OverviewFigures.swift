import Linden
import LindenAPI
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
    /// Asks the analytics, which answer from rollups.
    init(of scope: Scope, from analytics: AnalyticsService, now: Timestamp) async throws {
        var parameters = AnalyticsParameters()
        parameters.from = "\(2 * Self.days)d"
        parameters.fillsZeros = true
        var (dates, daily): ([String], [Measure: [Int64]]) = ([], [:])
        for measure in Measure.allCases {
            var query = try parameters.counts(of: scope, now: now)
            query.topics = measure.topics
            let rows = try await analytics.counts(query).rows
            dates = rows.map { String($0.period.startText.prefix(10)) }
            daily[measure] = rows.map { Int64(clamping: $0.figure) }
        }
        self.dates = dates
        self.daily = daily
        channels = try await Self.top("channel", of: scope, from: analytics)
        campaigns = try await Self.top("campaign", of: scope, from: analytics)
        links = try await Self.top("link", of: scope, from: analytics)
    }

    private static func top(_ dimension: String, of scope: Scope, from analytics: AnalyticsService) async throws -> [Top] {
        var parameters = AnalyticsParameters()
        parameters.from = "\(days)d"
        parameters.by = [dimension]
        parameters.limit = 5
        return try await analytics.reply(to: .top, parameters, of: scope).rowViews.map { row in
            let value = row[dimension]?.string
            let clicks = row["total_count"]?.int64 ?? 0
            guard dimension == "link" else { return Top(name: value ?? "(none)", clicks: clicks) }
            let (title, url) = (row["title"]?.string, row["url"]?.string)
            return Top(
                name: title ?? url ?? value ?? "(none)", note: title == nil ? nil : url,
                link: url == nil ? nil : value, clicks: clicks)
        }
    }
}
