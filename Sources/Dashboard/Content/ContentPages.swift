import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The content of an app (Branch Universal Objects): the newest, or what was viewed, shared, clicked or bought most; and one piece.
extension Dashboard {
    private static let piecesPerPage = 50

    func contentPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.content(app.scope)
        let measure = ObjectMeasure(rawValue: page.query["by"])
        let period = OverviewPeriod(named: page.query["from"], among: OverviewPeriod.ofDays)
        let orders =
            [("Newest", path, measure == nil)]
            + ObjectMeasure.allCases.map { ($0.title, PagePath.content(app.scope, by: $0, period), $0 == measure) }
        var blocks = [Block(tabs: Tabs("Order", orders))]
        var pager: Pager?
        let shown: [ObjectService.Figures]
        if let measure {
            let periods = OverviewPeriod.ofDays.map {
                ("\($0.days) days", PagePath.content(app.scope, by: measure, $0), $0 == period)
            }
            blocks.append(Block(tabs: Tabs("Time", periods)))
            shown = try await services.objects.top(
                app.scope, by: measure, on: days(of: period), limit: Self.piecesPerPage)
        } else {
            let before = Int64(page.query["cursor"]).map(UniversalObject.ID.init(rawValue:))
            let next: UniversalObject.ID?
            (shown, next) = try await services.objects.page(app.scope, before: before, limit: Self.piecesPerPage)
            if before != nil || next != nil {
                pager = Pager(
                    firstHref: before == nil ? nil : path,
                    nextHref: next.map { PagePath.query(path, [("cursor", String($0.rawValue))]) })
            }
        }
        blocks.append(shown.isEmpty ? Block(empty: .noContent(by: measure)) : Block(table: .content(shown, of: app.scope)))
        if let pager { blocks.append(Block(pager: pager)) }
        blocks.append(Block(equivalents: .content(measure, period, app.key.branchKey)))
        let lead =
            measure == nil
            ? "What links and events refer to, newest first, with all-time totals."
            : "What links and events refer to, in the last \(period.days) days in UTC."
        return PageView("Content", lead: lead, blocks).of(app, user, section: path).answer()
    }

    /// The page of one piece of content, which the parameter `identifier` names.
    func pieceOfContentPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, identifier) = (try page.app, try page.user, page.query["identifier"])
        let all = try await services.objects.show(identifier, in: app.scope)
        let now = try await services.objects.show(identifier, in: app.scope, on: days(of: .month)).statistics
        let today = services.clock.now().day
        let length = Int64(OverviewPeriod.month.days)
        let before = try await services.objects.show(
            identifier, in: app.scope, on: today - 2 * length + 1...today - length
        ).statistics
        let url = all.object.data["$canonical_url"]?.scalarText
        var facts: [(name: String, cell: Cell)] = [("Identifier", .code(all.object.canonicalIdentifier))]
        if let url, url != all.object.canonicalIdentifier { facts.append(("URL", Cell(url))) }
        facts.append(("First named", .time(all.object.id.time.iso8601)))
        let rows = ObjectMeasure.allCases.map { measure in
            [
                Cell(measure.title), measure.cell(now), measure.cell(before), measure.cell(all.statistics),
            ]
        }
        let columns =
            [Table.Column(columnLabel: "Measure")]
            + ["Last 30 days", "30 days before", "All time"].map { Table.Column(columnLabel: $0, isNumber: true) }
        return PageView(
            all.object.shownTitle ?? "Content", lead: nil,
            [
                Block(facts: Facts(facts)), Block(table: Table("Totals", columns, rows, isCaptionVisible: true)),
                Block(preformatted: Preformatted(preSummary: "Data", preText: JSON.object(all.object.data).text)),
                Block(
                    equivalents: Equivalents(
                        command: "linden objects show \(identifier.shellQuoted) --app \(app.key.branchKey)",
                        call: "GET "
                            + PagePath.query(
                                "/api/v1/content/object", [("app", app.key.branchKey), ("identifier", identifier)]))),
            ]
        ).of(app, user, section: PagePath.content(app.scope)).answer()
    }

    /// The days of a period that ends today, counted since 1970 in UTC.
    private func days(of period: OverviewPeriod) -> ClosedRange<Int64> {
        let today = services.clock.now().day
        return today - Int64(period.days) + 1...today
    }
}

extension PagePath {
    fileprivate static func content(_ scope: Scope, by measure: ObjectMeasure, _ period: OverviewPeriod) -> String {
        query(content(scope), [("by", measure.rawValue), ("from", period.rawValue)])
    }
}

extension ObjectMeasure {
    fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    fileprivate func cell(_ statistics: ObjectStatistics) -> Cell {
        switch self {
        case .views: .number(statistics.views)
        case .shares: .number(statistics.shares)
        case .clicks: .number(statistics.clicks)
        case .purchases: .number(statistics.purchases)
        case .revenue: .amount(.decimal(statistics.revenue.text))
        }
    }
}

extension UniversalObject {
    private static let longestTitle = 100

    /// The title of previews; nil without one.
    fileprivate var shownTitle: String? {
        data["$og_title"]?.scalarText.flatMap { $0.trimmed.isEmpty ? nil : String($0.prefix(Self.longestTitle)) }
    }
}

extension Table {
    fileprivate static func content(_ pieces: [ObjectService.Figures], of scope: Scope) -> Table {
        Table(
            "Content",
            [Column(columnLabel: "Content")] + ObjectMeasure.allCases.map { Column(columnLabel: $0.title, isNumber: true) },
            pieces.map { object, statistics in
                let (title, identifier) = (object.shownTitle, object.canonicalIdentifier)
                let shown = String(identifier.prefix(200))
                let href = PagePath.query(PagePath.content(scope) + "/object", [("identifier", identifier)])
                return [Cell(title ?? shown, href: href, note: title == nil ? nil : shown)]
                    + ObjectMeasure.allCases.map { $0.cell(statistics) }
            })
    }
}

extension EmptyState {
    fileprivate static func noContent(by measure: ObjectMeasure?) -> EmptyState {
        EmptyState(
            emptyTitle: measure.map { "No \($0.rawValue) in this time" } ?? "No content yet",
            emptyText: measure == nil
                ? "Links and events name content by $canonical_identifier or $canonical_url. It appears here with the first that does."
                : "Choose a longer time, or another measure.")
    }
}

extension Equivalents {
    fileprivate static func content(_ measure: ObjectMeasure?, _ period: OverviewPeriod, _ key: String) -> Equivalents {
        let command = measure.map { "top --app \(key) --by \($0.rawValue) --from \(period.rawValue)" } ?? "list --app \(key)"
        let order = measure.map { [("sort", $0.rawValue), ("from", period.rawValue)] } ?? []
        return Equivalents(
            command: "linden objects \(command)", call: "GET " + PagePath.query("/api/v1/content", [("app", key)] + order))
    }
}
