import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// One link: where it leads, its figures, its code and its latest clicks.
extension Dashboard {
    private static let clicksShown = 10
    private static let longestTitle = 200

    func linkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let link = try await link(page)
        let (url, path) = (services.links.url(of: link), PagePath.link(link.id, link.scope))
        let mayChange = Access.linkEditors.admits(user.role) && link.deletedAt == nil
        let figures = try await services.statistics.statistics(of: link.id)

        var blocks: [Block] = []
        if page.query["saved"] == "created" { blocks.append(.success("The link was created.")) }
        if page.query["saved"] == "changed" { blocks.append(.success("The link was changed.")) }
        if let time = link.deletedAt {
            blocks.append(.note("This link was deleted at \(time.iso8601). Its address stays reserved."))
        }
        if mayChange {
            blocks.append(
                .buttons([
                    Button(buttonLabel: "Edit", buttonHref: path + "/edit", isMain: true),
                    Button(buttonLabel: "Delete", buttonHref: path + "/delete"),
                ]))
        }
        blocks.append(
            .cards([
                Card(cardLabel: "Clicks", cardValue: figures.clicks.grouped, cardHref: clicksPath(of: link, user)),
                Card(cardLabel: "Robots", cardValue: figures.robots.grouped),
                Card(cardLabel: "Sessions", cardValue: figures.sessions.grouped),
                Card(cardLabel: "Installs", cardValue: figures.installs.grouped),
            ]))
        if link.deletedAt == nil, let inspection = try await services.clicks.inspect(url: url) {
            blocks.append(Block(preview: LinkPreview(inspection, services.baseURL, at: services.clock.now())))
        }
        let daily = try await services.statistics.dailyStatistics(of: link.id, days: 2 * LinkClicks.days)
        blocks += LinkClicks(daily.map { ($0.day, $0.statistics.clicks) }).blocks
        blocks.append(Block(facts: .link(link, url)))
        if link.deletedAt == nil, QRCodeRenderer.isAvailable {
            blocks.append(
                Block(picture: Picture(pictureSource: path + "/code.svg?margin=0", pictureDescription: "QR code of \(url)")))
            blocks.append(.buttons([Button(buttonLabel: "Design and download the code", buttonHref: path + "/code")]))
        }
        blocks.append(try await latestClicks(of: link))
        if Access.linkEditors.admits(user.role) { blocks.append(try await history(of: link)) }
        blocks.append(Block(preformatted: Preformatted(preSummary: "Data for the app", preText: JSON.object(link.data).text)))
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: """
                        linden links show \(url.shellQuoted)
                        linden query counts --app \(app.key.branchKey) --from 30d --filter link=\(link.id.rawValue)
                        """,
                    call: """
                        GET /api/v1/links/\(link.id.rawValue)
                        GET /api/v1/analytics/counts?app=\(app.key.branchKey)&from=30d&filter=link%3D\(link.id.rawValue)
                        """)))
        let title = link.title.map { String($0.prefix(Self.longestTitle)) }
        return PageView(title ?? link.address.path, lead: title == nil ? nil : url, blocks)
            .of(app, user, section: PagePath.links(app.scope)).answer()
    }

    /// Returns the link that the path names by its id. Fails with `notFound` for a link of another app or side.
    func link(_ page: PageRequest) async throws -> Link {
        guard let id = Int64(page.parameter("link")), let link = try await services.links.link(Link.ID(rawValue: id)),
            link.scope == (try page.app).scope
        else { throw Failure.notFound("There is no such link.") }
        return link
    }

    /// The question about the link's clicks by day; nil for users who may not ask it.
    private func clicksPath(of link: Link, _ user: DashboardUser) -> String? {
        guard Access.reportReaders.admits(user.role) else { return nil }
        return PagePath.clicks(by: .link, String(link.id.rawValue), .month, link.scope)
    }

    private func latestClicks(of link: Link) async throws -> Block {
        let now = services.clock.now()
        let day = try ExportRange(from: now - .seconds(86400), to: now + .milliseconds(1))
        let clicks = try await services.clickLists.list(of: link.scope, link: link.id, in: day, limit: Self.clicksShown).clicks
        let rows = clicks.map { click -> [Cell] in
            let view = click.view(services.publicIDs)
            let system = [view["os"]?.string, view["os_version"]?.string].compactMap { $0 }.joined(separator: " ")
            return [
                Cell.time(click.id.time.iso8601), Cell(system.isEmpty ? view["platform"]?.string ?? "" : system),
                Cell(view["browser"]?.string ?? ""), Cell(view["country"]?.string ?? ""),
                Cell(view["robot"]?.string.map { "robot: " + $0 } ?? "person"),
            ]
        }
        guard !rows.isEmpty else {
            return Block(
                empty: EmptyState(
                    emptyTitle: "No clicks in the last 24 hours",
                    emptyText:
                        "Open the link's address, or scan its code with a phone. The click is here when you read the page again."))
        }
        return Block(
            table: Table(
                "Latest clicks, of the last 24 hours",
                ["Time", "System", "Browser", "Country", "Visitor"].map { Table.Column(columnLabel: $0) }, rows,
                isCaptionVisible: true))
    }
}

extension Facts {
    fileprivate static func link(_ link: Link, _ url: String) -> Facts {
        var facts: [(name: String, cell: Cell)] = [("Address", Cell(url, href: url))]
        for (name, value) in link.labels.members {
            let text = value.array.map { $0.compactMap(\.scalarText).joined(separator: ", ") } ?? value.scalarText
            if let text, !text.isEmpty { facts.append((name.prefix(1).uppercased() + name.dropFirst(), Cell(text))) }
        }
        if let folder = link.folder { facts.append(("Folder", Cell(folder))) }
        if let end = link.limits.expiresAt { facts.append(("Expires", Cell.time(end.iso8601))) }
        if let most = link.limits.maxClicks { facts.append(("Clicks until it expires", Cell.number(most))) }
        facts.append(("Created", Cell.time(link.createdAt.iso8601)))
        facts.append(("Id", Cell.code(String(link.id.rawValue))))
        return Facts(facts)
    }
}
