import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// What happened in an app in the last 7, 30 or 90 days.
extension Dashboard {
    func overviewPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let measure = OverviewMeasure(rawValue: page.query["show"]) ?? .clicks
        let period = OverviewPeriod(named: page.query["from"])
        let figures = try await OverviewFigures(
            of: app.scope, period, from: services.analytics, services.statistics, recentAnswers, now: services.clock.now())
        let events = Access.appAdministrators.admits(user.role) ? try await changes(of: app) : []
        return PageView.overview(figures, measure, of: app, events: events).of(app, user, section: PagePath.app(app.scope)).answer()
    }
}

extension PageView {
    /// The overview, without the navigation.
    ///
    /// - Parameters:
    ///   - measure: the figure of the chart.
    ///   - events: what happened to the app, newest first.
    static func overview(
        _ figures: OverviewFigures, _ measure: OverviewMeasure, of app: AppContext, events: [Chart.Event] = []
    ) -> PageView {
        let (scope, period) = (app.scope, figures.period)
        let weeks = period.step == 1 ? "" : " The last week of the chart ends today, and the first one is shorter."
        var view = PageView(
            "Overview",
            lead: period == .day
                ? "Today, which is not over, compared with yesterday until the same hour. Hours are in UTC."
                : "The last \(period.days) days, of which today is not over, compared with the \(period.days) days before. "
                    + "Days and hours are in UTC." + weeks, [])
        if figures.isEmpty {
            view.blocks.append(
                Block(
                    empty: EmptyState(
                        emptyTitle: "Nothing has happened yet",
                        emptyText:
                            "Create a link and tap it on a phone. Its click appears here at once. Installs appear when the app's SDK "
                            + "is configured with the branch key below.",
                        emptyCommand: app.key.branchKey, emptyHref: PagePath.links(scope), emptyAction: "To the links")))
        }
        let periods = OverviewPeriod.allCases.map { ($0.label, PagePath.overview($0, measure), $0 == period) }
        let charts = OverviewMeasure.allCases.map { ($0.title, PagePath.overview(period, $0), $0 == measure) }
        view.blocks += [
            Block(tabs: Tabs("Time", periods)),
            .cards(figures.cards(measure, of: scope)),
            Block(tabs: Tabs("Chart", charts)),
            Block(figure: figures.figure(measure, events)),
            .buttons([
                Button(
                    buttonLabel: "Ask more about \(measure.title.lowercased())",
                    buttonHref: PagePath.question(measure, period, scope))
            ]),
        ]
        let tables = Self.tops.map { figures.table($0.title, $0.column, $0.0, of: scope) }
        view.blocks.append(Block(tables: Tables(tableList: tables)))
        view.blocks.append(Block(equivalents: .overview(measure, period, app.key.branchKey)))
        return view
    }

    private static let tops: [(Dimension, title: String, column: String)] = [
        (.link, "Links with the most clicks", "Link"), (.channel, "Channels with the most clicks", "Channel"),
        (.campaign, "Campaigns with the most clicks", "Campaign"), (.referrer, "Referrers with the most clicks", "Referrer"),
        (.country, "Countries with the most clicks", "Country"), (.language, "Languages with the most clicks", "Language"),
        (.platform, "Platforms with the most clicks", "Platform"), (.os, "Operating systems with the most clicks", "System"),
        (.browser, "Browsers with the most clicks", "Browser"), (.hourOfDay, "Hours with the most clicks", "Hour"),
    ]
}

extension PagePath {
    /// The overview of another time or with another chart, relative to the overview.
    fileprivate static func overview(_ period: OverviewPeriod, _ measure: OverviewMeasure) -> String {
        query("", [("from", period.rawValue), ("show", measure.rawValue)])
    }

    /// The analytics page with the question of a figure. What that page assumes is left out: the overview has many addresses.
    fileprivate static func question(_ measure: OverviewMeasure, _ period: OverviewPeriod, _ scope: Scope) -> String {
        let (question, parameters) = measure.question(period)
        let assumed = [
            "question": AnalyticsQuestion.counts.rawValue, "from": AnalyticsChoice.standardFrom,
            "topic": AnalyticsParameters.Standard.topic,
        ]
        let given = [(name: "question", value: question.rawValue)] + parameters
        return query(analytics(scope), given.filter { assumed[$0.name] != $0.value })
    }

    /// The analytics page with the clicks of a value of a dimension by day.
    static func clicks(by dimension: Dimension, _ value: String, _ period: OverviewPeriod, _ scope: Scope) -> String {
        counts(of: Topic.click.rawValue, by: dimension, value, period, scope)
    }

    /// The analytics page with the records of a value of a dimension by day; of a value that no filter can name, with the top values.
    ///
    /// - Parameter topics: their names, separated by commas.
    static func counts(
        of topics: String, by dimension: Dimension, _ value: String, _ period: OverviewPeriod, _ scope: Scope
    ) -> String {
        let isNamed = !value.contains(",")
        // What the page of analytics assumes is left out: the overview has this address fifty times.
        return query(
            analytics(scope),
            [
                ("question", isNamed ? "" : AnalyticsQuestion.top.rawValue),
                ("from", period.rawValue == AnalyticsChoice.standardFrom ? "" : period.rawValue),
                ("topic", topics == AnalyticsParameters.Standard.topic ? "" : topics),
                isNamed ? ("filter", "\(dimension.rawValue)=\(value)") : ("by", dimension.rawValue),
            ])
    }
}

extension Equivalents {
    fileprivate static func overview(_ measure: OverviewMeasure, _ period: OverviewPeriod, _ key: String) -> Equivalents {
        let (question, parameters) = measure.question(period)
        let options = parameters.map { " --\($0.name) \($0.value)" }.joined()
        return Equivalents(
            command: "linden query \(question.rawValue) --app \(key)" + options,
            call: "GET " + PagePath.query("/api/v1/analytics/\(question.rawValue)", [("app", key)] + parameters))
    }
}

extension OverviewFigures {
    /// The cards of all figures, with the visits of robots behind the clicks, which are those of people.
    fileprivate func cards(_ shown: OverviewMeasure, of scope: Scope) -> [Card] {
        var cards = OverviewMeasure.allCases.map { card($0, isCurrent: $0 == shown, of: scope) }
        let change = robots.change ?? (robots.current > 0 ? "none before" : nil)
        cards.insert(
            Card(cardLabel: "Visits of robots", cardValue: Int64(clamping: robots.current).grouped, cardChange: change), at: 1)
        return cards
    }

    private func card(_ measure: OverviewMeasure, isCurrent: Bool, of scope: Scope) -> Card {
        Card(
            cardLabel: measure.title, cardValue: amount(measure, on: current).text, cardChange: change(measure),
            cardHref: PagePath.question(measure, period, scope), isCurrent: isCurrent)
    }

    fileprivate func figure(_ measure: OverviewMeasure, _ events: [Chart.Event]) -> Figure {
        let title = "\(measure.title) by \(period.stepName)"
        let (now, before) = (steps(of: current), steps(of: wholePrevious))
        let (total, earlier) = (amount(measure, on: current).text, amount(measure, on: previous).text)
        let noun = measure == .matched ? "of installs matched" : measure.rawValue
        let chart = Chart(
            title: title,
            description: "\(total) \(noun) \(period.name), \(earlier) \(period.previousName).",
            labels: (period == .day ? before : now).map { label(of: $0.lowerBound) },
            lines: [
                Chart.Line(name: "\(measure.title), \(inLegend)", values: now.map { amount(measure, on: $0).drawn }),
                Chart.Line(
                    name: beforeInLegend, values: before.map { amount(measure, on: $0).drawn }, isPrevious: true),
            ],
            marks: Chart.marks(of: events) { time in
                let length = period == .day ? "2027-01-31T12".count : "2027-01-31".count
                let date = time.iso8601.prefix(length)
                guard let day = dates.firstIndex(where: { $0.prefix(length) == date }) else { return nil }
                return now.firstIndex { $0.contains(day) }
            })
        let rows = zip(now, before).map { days, earlier in
            [
                Cell(dates[days.lowerBound].replacing("T", with: " ")), Cell.figure(amount(measure, on: days).text),
                Cell.figure(amount(measure, on: earlier).text),
            ]
        }
        let columns: [Table.Column] = [
            .init(columnLabel: period == .day ? "Hour" : period.step == 1 ? "Day" : "Week from"),
            .init(columnLabel: measure.title, isNumber: true),
            .init(columnLabel: beforeInLegend, isNumber: true),
        ]
        return Figure(svg: chart.svg, legend: chart.legend, figureTable: Table(title, columns, rows))
    }

    private var inLegend: String { period == .day ? "today" : "last \(period.days) days" }
    private var beforeInLegend: String { period == .day ? "yesterday" : "\(period.days) days before" }

    /// The label of a day, or of an hour of one day.
    private func label(of index: Int) -> String {
        period == .day ? String(dates[index].suffix("12:00".count)) : dates[index].shortDay
    }

    /// The values of a dimension with the most clicks. A link leads to its page and its clicks to their question; other values lead to
    /// the question.
    fileprivate func table(_ caption: String, _ column: String, _ dimension: Dimension, of scope: Scope) -> Table {
        let columns = [Table.Column(columnLabel: column), .init(columnLabel: "Clicks", isNumber: true)]
        guard let tops = tops[dimension] else {
            return Table(
                caption, columns, [[Cell("Too many to list. Choose a shorter time."), .figure("")]], isCaptionVisible: true)
        }
        let rows = tops.map { top in
            let question = PagePath.clicks(by: dimension, top.value, period, scope)
            var clicks = Cell.number(top.clicks)
            if top.isLink { clicks.cellHref = question }
            let page = PagePath.links(scope) + "/" + PercentCoding.encodeQueryValue(top.value)
            return [Cell(top.name, href: top.isLink ? page : question, note: top.note), clicks]
        }
        return Table(
            caption, columns, rows.isEmpty ? [[Cell("none"), Cell.number(0)]] : rows, isCaptionVisible: true)
    }
}

extension String {
    /// A date such as `2027-01-31` as `31 Jan`.
    var shortDay: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return self }
        return "\(parts[2]) \(months[parts[1] - 1])"
    }
}
