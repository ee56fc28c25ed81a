import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// What happened in an app in the last 30 days.
extension Dashboard {
    func overviewPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let measure = OverviewFigures.Measure(rawValue: page.query["show"]) ?? .clicks
        let figures = try await OverviewFigures(of: app.scope, from: services.analytics, now: services.clock.now())
        let view = PageView("Overview", lead: "The last 30 days, compared with the 30 days before. Days are in UTC.", [])
        return view.showing(figures, measure, of: app).of(app, user, section: PagePath.app(app.scope)).answer()
    }
}

extension PageView {
    fileprivate func showing(_ figures: OverviewFigures, _ measure: OverviewFigures.Measure, of app: AppContext) -> PageView {
        var view = self
        let isEmpty = OverviewFigures.Measure.allCases.allSatisfy { figures.daily[$0]?.allSatisfy { $0 == 0 } ?? true }
        if isEmpty {
            view.blocks.append(
                Block(
                    empty: EmptyState(
                        emptyTitle: "Nothing has happened yet",
                        emptyText:
                            "Create a link and tap it on a phone. Its click appears here at once. Installs appear when the app's SDK "
                            + "is configured with the branch key below.",
                        emptyCommand: app.key.branchKey, emptyHref: PagePath.links(app.scope), emptyAction: "To the links")))
        }
        view.blocks += [
            .cards(OverviewFigures.Measure.allCases.map { figures.card($0, isCurrent: $0 == measure, of: app.scope) }),
            Block(figure: figures.figure(measure)),
            .buttons([
                Button(
                    buttonLabel: "Ask more about \(measure.rawValue)",
                    buttonHref: PagePath.query(
                        PagePath.analytics(app.scope), [("question", "counts"), ("from", "30d"), ("topic", measure.topicNames)]))
            ]),
            Block(table: .top("Links with the most clicks", "Link", figures.links, of: app.scope)),
            Block(table: .top("Channels with the most clicks", "Channel", figures.channels, of: app.scope)),
            Block(table: .top("Campaigns with the most clicks", "Campaign", figures.campaigns, of: app.scope)),
            Block(
                equivalents: Equivalents(
                    command: "linden query counts --app \(app.key.branchKey) --from 30d --topic \(measure.topicNames)",
                    call: "GET /api/v1/analytics/counts?app=\(app.key.branchKey)&from=30d&topic=\(measure.topicNames)")),
        ]
        return view
    }
}

extension OverviewFigures.Measure {
    fileprivate var topicNames: String { topics.map(\.rawValue).joined(separator: ",") }
}

extension OverviewFigures {
    fileprivate func card(_ measure: Measure, isCurrent: Bool, of scope: Scope) -> Card {
        let (current, previous) = (current(measure).reduce(0, +), previous(measure).reduce(0, +))
        return Card(
            cardLabel: measure.title, cardValue: current.grouped,
            cardChange: Self.change(from: previous, to: current) ?? (current > 0 ? "none before" : nil),
            cardHref: PagePath.query(PagePath.app(scope), [("show", measure.rawValue)]), isCurrent: isCurrent)
    }

    fileprivate func figure(_ measure: Measure) -> Figure {
        let (current, previous) = (current(measure), previous(measure))
        let total = current.reduce(0, +).grouped
        let chart = Chart(
            title: "\(measure.title) by day",
            description:
                "\(total) \(measure.rawValue) in the last 30 days, \(previous.reduce(0, +).grouped) in the 30 days before.",
            labels: currentDates.map(\.shortDay),
            lines: [
                Chart.Line(name: "\(measure.title), last 30 days", values: current),
                Chart.Line(name: "30 days before", values: previous, isPrevious: true),
            ])
        let rows = zip(currentDates, zip(current, previous)).map { date, values in
            [Cell(date), Cell.number(values.0), Cell.number(values.1)]
        }
        let columns: [Table.Column] = [
            .init(columnLabel: "Day"), .init(columnLabel: measure.title, isNumber: true),
            .init(columnLabel: "30 days before", isNumber: true),
        ]
        return Figure(svg: chart.svg, legend: chart.legend, figureTable: Table("\(measure.title) by day", columns, rows))
    }
}

extension Table {
    fileprivate static func top(_ caption: String, _ column: String, _ rows: [OverviewFigures.Top], of scope: Scope) -> Table {
        Table(
            caption, [.init(columnLabel: column), .init(columnLabel: "Clicks", isNumber: true)],
            rows.isEmpty
                ? [[Cell("none"), Cell.number(0)]]
                : rows.map { top in
                    [
                        Cell(
                            top.name, href: top.link.map { PagePath.links(scope) + "/" + PercentCoding.encodeQueryValue($0) },
                            note: top.note),
                        Cell.number(top.clicks),
                    ]
                },
            isCaptionVisible: true)
    }
}

extension String {
    /// A date such as `2027-01-31` as `31 Jan`.
    fileprivate var shortDay: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return self }
        return "\(parts[2]) \(months[parts[1] - 1])"
    }
}
