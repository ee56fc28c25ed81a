import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The list of an app's links: search, filters, order and pages.
extension Dashboard {
    private static let linksPerPage = 25
    private static let foldersOffered = 100

    func linksPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, query) = (try page.app, try page.user, page.query)
        let (path, mayChange) = (PagePath.links(app.scope), Access.linkEditors.admits(user.role))
        let filter = LinkFilter(query)
        let order = LinkOrder(rawValue: query["sort"]) ?? .newest
        let after = Int64(query["cursor"]).map { Link.ID(rawValue: $0) }
        let list = try await services.linkLists.list(filter, of: app.scope, order: order, after: after, limit: Self.linksPerPage)

        let captions = try await services.analytics.captions(of: Set(list.links.map { "\($0.id)" }), in: app.scope)
        let daily = try await services.statistics.dailyStatistics(of: list.links.map(\.id), days: LinkClicks.days)
        let rows = list.links.map { link in
            LinkRow(
                link: link, url: services.links.url(of: link), title: captions["\(link.id)"]?.title,
                clicks: (daily[link.id] ?? []).map(\.statistics.clicks))
        }

        let names = ["search", "channel", "campaign", "tag", "folder", "state", "sort"]
        let chosen = names.map { (name: $0, value: query[$0]) }
        let isFiltered = chosen.contains { $0.name != "sort" && !$0.value.isEmpty }
        var blocks: [Block] = []
        var buttons = [Button(buttonLabel: "Download as CSV", buttonHref: PagePath.query(path + ".csv", chosen))]
        if mayChange {
            buttons =
                [
                    Button(buttonLabel: "Create a link", buttonHref: path + "/new", isMain: true),
                    Button(buttonLabel: "Templates", buttonHref: PagePath.templates(app.scope)),
                    Button(buttonLabel: "Import a file", buttonHref: path + "/import"),
                ] + buttons
        }
        if Access.reportReaders.admits(user.role) {
            buttons.append(
                Button(buttonLabel: "Links with the most clicks", buttonHref: PagePath.topLinks(of: app.scope)))
        }
        blocks.append(.buttons(buttons))
        let folders = try await services.linkLists.folders(of: app.scope, limit: Self.foldersOffered).names
        blocks.append(Block(filter: .links(path, query, order, folders)))
        blocks.append(
            list.links.isEmpty
                ? Block(
                    empty: .noLinks(isFiltered: isFiltered || after != nil, path, mayChange: mayChange, hasMore: list.next != nil))
                : .links(rows, app.scope, user.role, list: PagePath.query(path, chosen)))
        let next = list.next.map { PagePath.query(path, chosen + [("cursor", String($0.rawValue))]) }
        if after != nil || next != nil {
            blocks.append(Block(pager: Pager(firstHref: after == nil ? nil : PagePath.query(path, chosen), nextHref: next)))
        }
        blocks.append(Block(equivalents: .links(app, chosen)))
        return PageView("Links", blocks).of(app, user, section: path).answer()
    }
}

/// A link as a row of the list.
private struct LinkRow {
    let link: Link
    let url: String
    let title: String?
    /// The clicks of each of the last days in UTC, oldest first.
    let clicks: [Int64]
}

extension PagePath {
    /// The question of the links with the most clicks.
    fileprivate static func topLinks(of scope: Scope) -> String {
        query(
            analytics(scope),
            [("question", AnalyticsQuestion.top.rawValue), ("from", "\(LinkClicks.days)d"), ("by", Dimension.link.rawValue)])
    }
}

extension Form {
    fileprivate static func links(_ path: String, _ query: FormFields, _ order: LinkOrder, _ folders: [String]) -> Form {
        let chosen = query.text("folder").map { folders.contains($0) ? [] : [$0] } ?? []
        return Form(
            path, method: "get", submit: "Search",
            [
                .text("search", "Search", query["search"], type: "search"),
                .text("channel", "Channel", query["channel"]), .text("campaign", "Campaign", query["campaign"]),
                .text("tag", "Tag", query["tag"]),
                .choice("folder", "Folder", query["folder"], [("", "all")] + (chosen + folders).map { ($0, $0) }),
                .choice(
                    "state", "State", query["state"],
                    [("", "open or ended"), ("open", "open"), ("ended", "ended"), ("archived", "archived"), ("deleted", "deleted")]),
                .choice("sort", "Order", order.rawValue, [("newest", "newest first"), ("oldest", "oldest first")]),
            ])
    }
}

extension Block {
    /// The links of a page of the list; for users who may change them, with a box beside each.
    fileprivate static func links(_ rows: [LinkRow], _ scope: Scope, _ role: DashboardUser.Role, list: String) -> Block {
        let mayChange = Access.linkEditors.admits(role)
        let table = Table.links(rows, areSelectable: mayChange, lead: Access.reportReaders.admits(role))
        return mayChange ? Block(selection: .links(table, scope, list: list)) : Block(table: table)
    }
}

extension Table {
    private static let longestTitle = 100

    /// - Parameter lead: whether the figures lead to their question.
    fileprivate static func links(_ rows: [LinkRow], areSelectable: Bool, lead: Bool) -> Table {
        let columns = (areSelectable ? ["Select"] : []) + ["Link", "Channel", "Campaign", "Tags"]
        return Table(
            "Links",
            columns.map { Column(columnLabel: $0) } + [
                Column(columnLabel: "Clicks, \(LinkClicks.days) days", isNumber: true), Column(columnLabel: "Created"),
            ],
            rows.map { row in
                let (link, url) = (row.link, row.url)
                let shown = row.title.flatMap { $0.trimmed.isEmpty ? nil : String($0.prefix(longestTitle)) }
                var box = Cell("")
                box.cellCheck = CellCheck(
                    checkName: "link", checkValue: String(link.id.rawValue), checkLabel: "Select \(url.withoutScheme)")
                return (areSelectable ? [box] : []) + [
                    Cell(
                        shown ?? url.withoutScheme, href: PagePath.link(link.id, link.scope),
                        note: shown == nil ? nil : url.withoutScheme), Cell(link.labels.channel ?? ""),
                    Cell(link.labels.campaign ?? ""),
                    Cell(link.labels.tags.joined(separator: ", "), note: link.folder.map { "in \($0)" }),
                    clicks(row, lead: lead), Cell.time(link.createdAt.iso8601),
                ]
            })
    }

    private static func clicks(_ row: LinkRow, lead: Bool) -> Cell {
        let sum = row.clicks.reduce(0, +)
        var cell = Cell.number(sum)
        guard sum > 0 else { return cell }
        if lead { cell.cellHref = PagePath.clicks(by: .link, "\(row.link.id)", .month, row.link.scope) }
        cell.cellDrawing = Sparkline(description: "At most \((row.clicks.max() ?? 0).grouped) a day.", values: row.clicks).svg
        return cell
    }
}

extension String {
    /// A URL without `https://`, for a list.
    fileprivate var withoutScheme: String { firstRange(of: "://").map { String(self[$0.upperBound...]) } ?? self }
}

extension EmptyState {
    fileprivate static func noLinks(isFiltered: Bool, _ path: String, mayChange: Bool, hasMore: Bool) -> EmptyState {
        if hasMore {
            return EmptyState(
                emptyTitle: "None among the links read so far",
                emptyText: "At most \(LinkListService.mostLinksRead) links are read for a page. The next page goes on from there.")
        }
        if isFiltered {
            return EmptyState(
                emptyTitle: "No link matches", emptyText: "Remove a filter, or look among archived or deleted links.",
                emptyHref: path,
                emptyAction: "Show all links")
        }
        return EmptyState(
            emptyTitle: "No link yet",
            emptyText: "A link leads each visitor to the app, a store or the web, and gives the app its data.",
            emptyHref: mayChange ? path + "/new" : nil, emptyAction: mayChange ? "Create the first link" : nil)
    }
}

extension Equivalents {
    fileprivate static func links(_ app: AppContext, _ chosen: [(name: String, value: String)]) -> Equivalents {
        let given = chosen.filter { !$0.value.isEmpty }
        let options = given.map { " --\($0.name) \($0.value.shellQuoted)" }.joined()
        return Equivalents(
            command: "linden links list --app \(app.key.branchKey)\(options)",
            call: "GET " + PagePath.query("/api/v1/links", [("app", app.key.branchKey)] + given))
    }
}

extension String {
    /// The text as one argument of a shell command.
    var shellQuoted: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_./:=@%+,".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
