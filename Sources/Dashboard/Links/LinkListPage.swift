import Linden
import LindenAPI
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
        let order = LinkOrder(rawValue: query["sort"]) ?? .newest
        let chosen = (LinkFilter.parameters + ["sort"]).map { (name: $0, value: query[$0]) }
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
        let form = Form.links(path, query, order, folders)
        var failure: Failure?
        do {
            let list = try await links(page, order, chosen)
            blocks += [Block(filter: form)] + list
        } catch let fault as Failure where fault.isAboutInput {
            let said = form.saying(fault)
            blocks += (said == nil ? [.problem(fault.message)] : []) + [Block(filter: said ?? form)]
            failure = fault
        }
        blocks.append(Block(equivalents: .links(app, chosen)))
        return PageView("Links", blocks).of(app, user, section: path).answer(failure.map { .failed($0.code) } ?? .found)
    }

    /// The links of a page of the list, and where the list begins and continues.
    ///
    /// - Parameter chosen: the filter and the order, as the address has them.
    private func links(_ page: PageRequest, _ order: LinkOrder, _ chosen: [(name: String, value: String)]) async throws -> [Block] {
        let (scope, role, path) = (try page.app.scope, try page.user.role, PagePath.links(try page.app.scope))
        let after = Int64(page.query["cursor"]).map { Link.ID(rawValue: $0) }
        let list = try await services.linkLists.list(
            try LinkFilter(page.query, services.clock.now()), of: scope, order: order, after: after, limit: Self.linksPerPage)
        let captions = try await services.analytics.captions(of: Set(list.links.map { "\($0.id)" }), in: scope)
        let daily = try await services.statistics.dailyStatistics(
            of: list.links.map(\.id), in: scope, days: LinkClicks.days)
        let rows = list.links.map { link in
            LinkRow(
                link: link, url: services.links.url(of: link), title: captions["\(link.id)"]?.title,
                clicks: (daily[link.id] ?? []).map(\.statistics.clicks))
        }
        let isFiltered = after != nil || chosen.contains { $0.name != "sort" && !$0.value.isEmpty }
        var blocks: [Block] = [
            list.links.isEmpty
                ? Block(
                    empty: .noLinks(
                        isFiltered: isFiltered, path, mayChange: Access.linkEditors.admits(role), hasMore: list.next != nil))
                : .links(rows, scope, role, list: PagePath.query(path, chosen))
        ]
        let next = list.next.map { PagePath.query(path, chosen + [("cursor", String($0.rawValue))]) }
        if after != nil || next != nil {
            blocks.append(Block(pager: Pager(firstHref: after == nil ? nil : PagePath.query(path, chosen), nextHref: next)))
        }
        return blocks
    }
}

extension LinkFilter {
    /// The fields of the list's filter. Fails with `invalid` and the name of the field.
    init(_ query: FormFields, _ now: Timestamp) throws {
        try self.init(now: now) { query.text($0) }
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
                .text("search", "Search", query["search"], type: "search", hint: "A text, or the id of a link."),
                .text("channel", "Channel", query["channel"]), .text("campaign", "Campaign", query["campaign"]),
                .text("feature", "Feature", query["feature"]), .text("stage", "Stage", query["stage"]),
                .text("tag", "Tag", query["tag"]),
                .choice("folder", "Folder", query["folder"], [("", "all")] + (chosen + folders).map { ($0, $0) }),
                .choice(
                    "state", "State", query["state"],
                    [("", "open or ended"), ("open", "open"), ("ended", "ended"), ("archived", "archived"), ("deleted", "deleted")]),
                .text("from", "Created from", query["from"], hint: "Such as 2027-01-31 or 30d."),
                .text("to", "Created to", query["to"], hint: "Empty: now."),
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
