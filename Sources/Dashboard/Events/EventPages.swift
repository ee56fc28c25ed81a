import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The events that an app reports: their names with figures, and the latest of them.
extension Dashboard {
    private static let latestShown = 20

    func eventsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.events(app.scope)
        let period = OverviewPeriod(named: page.query["from"], among: OverviewPeriod.ofDays)
        let figures = try await services.analytics.inTurn(of: app.scope) {
            try await EventFigures(of: app.scope, period, from: services.analytics, now: services.clock.now())
        }
        let periods = OverviewPeriod.ofDays.map {
            ("\($0.days) days", PagePath.query(path, [("from", $0.rawValue)]), $0 == period)
        }
        var blocks = [Block(tabs: Tabs("Time", periods))]
        if figures.hasTooManyNames {
            blocks.append(.note("The events of this time have too many names to list. Choose a shorter time."))
        } else if figures.names.isEmpty {
            blocks.append(
                Block(
                    empty: EmptyState(
                        emptyTitle: "No events in this time",
                        emptyText: "Events are what the app's SDK logs, such as PURCHASE. The address of the API for servers:",
                        emptyCommand: "POST \(services.baseURL.text)/v2/event/standard")))
        } else {
            blocks.append(Block(table: figures.table(of: app.scope)))
            if figures.isEstimated { blocks.append(.note("Numbers of devices over several days are estimates.")) }
        }
        if Access.sessionReaders.admits(user.role) {
            let rows = try await services.exports.latest(LiveKind.events.topics, in: app.scope, limit: Self.latestShown) {
                LiveRow($0.members)
            }
            if !rows.isEmpty { blocks.append(Block(table: .latestEvents(rows, of: app.scope))) }
            blocks.append(
                .buttons([
                    Button(
                        buttonLabel: "Events as they happen",
                        buttonHref: PagePath.query(PagePath.live(app.scope), [("show", LiveKind.events.rawValue)]))
                ]))
        }
        let (key, topics) = (app.key.branchKey, AnalyticsChoice.events)
        let parameters = [("topic", topics), ("by", Dimension.name.rawValue), ("from", period.rawValue)]
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden query top --app \(key)" + parameters.map { " --\($0) \($1)" }.joined(),
                    call: "GET " + PagePath.query("/api/v1/analytics/top", [("app", key)] + parameters))))
        return PageView(
            "Events",
            lead: "The last \(period.days) days, of which today is not over, compared with the \(period.days) days before. "
                + "Days are in UTC.", blocks
        ).of(app, user, section: path).answer()
    }
}

/// The names of events with the highest counts in a period, with figures of it and of the period before.
struct EventFigures: Sendable {
    struct Name: Sendable, Equatable {
        let name: String
        let count: Int64
        let devices: Int64
        /// In millionths.
        let revenue: Int128
        let countBefore: Int64
        let revenueBefore: Int128
    }

    static let mostNames = 50

    let period: OverviewPeriod
    let names: [Name]
    /// Whether numbers of devices are estimates.
    var isEstimated = false
    /// Whether the names are not known, since there are too many in this period or in the one before.
    var hasTooManyNames = false

    /// A row for each name: it leads to the name's count by day.
    func table(of scope: Scope) -> Table {
        let numbers = ["Count", "Before", "Change", "Devices", "Revenue", "Revenue before"]
        return Table(
            "Events by name",
            [Table.Column(columnLabel: "Event")] + numbers.map { Table.Column(columnLabel: $0, isNumber: true) },
            names.map { name in
                [
                    Cell(
                        name.name.isEmpty ? "(none)" : name.name,
                        href: PagePath.counts(of: AnalyticsChoice.events, by: .name, name.name, period, scope)),
                    .number(name.count), .number(name.countBefore),
                    .figure(PeriodComparison(name.count, after: name.countBefore).change ?? ""), .number(name.devices),
                    .revenue(name.revenue), .revenue(name.revenueBefore),
                ]
            }, isCaptionVisible: true)
    }
}

extension EventFigures {
    /// Asks the analytics, which answer all questions from one view of the data.
    init(of scope: Scope, _ period: OverviewPeriod, from analytics: AnalyticsService, now: Timestamp) async throws {
        func query(_ aggregation: AnalyticsQuery.Aggregation) throws -> AnalyticsQuery {
            var parameters = AnalyticsParameters()
            parameters.from = period.rawValue
            parameters.topics = [AnalyticsChoice.events]
            parameters.by = [Dimension.name.rawValue]
            parameters.aggregation = aggregation.rawValue
            parameters.limit = aggregation == .totalCount ? Self.mostNames : AnalyticsQuery.mostRows
            return try parameters.top(of: scope, now: now)
        }
        let (count, revenue) = (try query(.totalCount), try query(.revenue))
        let allowed = try await analytics.allowedCounts(
            [count, try query(.uniqueCount), revenue, count.aboutPreviousPeriod, revenue.aboutPreviousPeriod], of: scope)
        let answers = allowed.compactMap { $0 }
        guard answers.count == allowed.count else {
            self.init(period: period, names: [], hasTooManyNames: true)
            return
        }
        let figures = answers.map { answer in
            Dictionary(answer.rows.map { ($0.values.first ?? "", $0.figure) }, uniquingKeysWith: +)
        }
        self.init(
            period: period,
            names: answers[0].rows.map { row in
                let name = row.values.first ?? ""
                func figure(_ index: Int) -> Int128 { figures[index][name] ?? 0 }
                return Name(
                    name: name, count: Int64(clamping: row.figure), devices: Int64(clamping: figure(1)), revenue: figure(2),
                    countBefore: Int64(clamping: figure(3)), revenueBefore: figure(4))
            }, isEstimated: answers[1].isEstimated)
    }
}

extension Cell {
    /// An amount in millionths, rounded down to hundredths; empty for none.
    fileprivate static func revenue(_ millionths: Int128) -> Cell {
        .figure(millionths == 0 ? "" : Int64(clamping: millionths / 10_000).asHundredths)
    }
}

extension Table {
    /// The latest events of a day, without the ids of devices and users.
    fileprivate static func latestEvents(_ rows: [LiveRow], of scope: Scope) -> Table {
        Table(
            "The latest, of the last 24 hours",
            ["Time", "Event", "Link", "System", "Country"].map { Column(columnLabel: $0) }
                + [Column(columnLabel: "Amount", isNumber: true)],
            rows.map { $0.cells(of: scope) }, isCaptionVisible: true)
    }
}
