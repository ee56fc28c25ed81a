import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// What the page of a link shows: the answers of the services, and values made of them.
struct LinkDetails: Sendable {
    let link: Link
    let url: String
    let figures: LinkStatistics
    /// Where the link leads; nil for a deleted one.
    let preview: LinkPreview?
    let daily: LinkClicks
    /// The clicks of the last 24 hours, as over HTTP; nil for users who may not see single ones.
    let latest: [JSONObject]?
    /// The visitors of these clicks; nil for people and robots.
    var visitor: ClickVisitor?
    /// The changes by operators; nil for users who may not see them.
    let history: Block?
    /// What was done on the page before: `created` or `changed`; empty for nothing.
    let saved: String
    /// What the link's data says that has no effect.
    var warnings: [String] = []
}

extension PageView {
    private static let longestTitle = 200

    /// The page of a link, without the navigation.
    static func link(_ details: LinkDetails, of app: AppContext, for role: DashboardUser.Role) -> PageView {
        let (link, url) = (details.link, details.url)
        let path = PagePath.link(link.id, link.scope)
        var blocks = details.notices
        if link.deletedAt == nil { blocks.append(Block(address: Address(addressHref: url))) }
        if Access.linkEditors.admits(role), link.deletedAt == nil {
            let like = PagePath.query(PagePath.links(link.scope) + "/new", [("like", "\(link.id)")])
            blocks.append(
                .buttons([
                    Button(buttonLabel: "Edit", buttonHref: path + "/edit", isMain: true),
                    Button(buttonLabel: "Create one like this", buttonHref: like),
                    Button(buttonLabel: "Delete", buttonHref: path + "/delete"),
                ]))
            let archiving = Field.hidden("archived", link.isArchived ? "false" : "true")
            blocks.append(
                Block(form: Form(path + "/archive", submit: link.isArchived ? "Restore from the archive" : "Archive", [archiving])))
        }
        blocks.append(.cards(details.cards(for: role)))
        if let preview = details.preview { blocks.append(Block(preview: preview)) }
        blocks += details.daily.blocks
        blocks.append(Block(facts: .link(link)))
        if link.deletedAt == nil, QRCodeRenderer.isAvailable {
            blocks.append(
                Block(picture: Picture(pictureSource: path + "/code.svg?margin=0", pictureDescription: "QR code of \(url)")))
            blocks.append(.buttons([Button(buttonLabel: "Design and download the code", buttonHref: path + "/code")]))
        }
        blocks += details.latestClicks
        if let history = details.history { blocks.append(history) }
        blocks.append(Block(preformatted: Preformatted(preSummary: "Data for the app", preText: JSON.object(link.data).text)))
        blocks.append(Block(equivalents: .link(link, url, key: app.key.branchKey, by: details.visitor)))
        let title = link.title.map { String($0.prefix(longestTitle)) }
        return PageView(title ?? link.address.path, blocks)
    }
}

extension LinkDetails {
    fileprivate var notices: [Block] {
        var notices: [Block] = []
        if saved == "created" { notices.append(.success("The link was created. Open its address to see its first click below.")) }
        if saved == "changed" { notices.append(.success("The link was changed.")) }
        if link.deletedAt == nil { notices += warnings.map(Block.note) }
        if link.isArchived, link.deletedAt == nil {
            notices.append(.note("This link is archived: lists leave it out. It leads where it led."))
        }
        if let time = link.deletedAt {
            notices.append(.note("This link was deleted at \(time.iso8601). Its address stays reserved."))
        }
        return notices
    }

    private static let clicksID = "clicks"

    /// The page at the latest visits of one kind of visitor, or of all.
    private func visits(by visitor: ClickVisitor?) -> String {
        PagePath.query(PagePath.link(link.id, link.scope), [("visitor", visitor?.rawValue ?? "")]) + "#" + Self.clicksID
    }

    fileprivate var latestClicks: [Block] {
        guard let latest else { return [] }
        let kinds = [("People and robots", nil), ("People", .person), ("Robots", .robot)] as [(String, ClickVisitor?)]
        let tabs = Tabs("Visitors", kinds.map { ($0.0, visits(by: $0.1), $0.1 == visitor) })
        return [Block(heading: "Latest clicks", headingID: Self.clicksID), Block(tabs: tabs), .latestClicks(latest, by: visitor)]
    }

    /// The totals. Each leads to more about it, as far as the role may see that.
    fileprivate func cards(for role: DashboardUser.Role) -> [Card] {
        let id = String(link.id.rawValue)
        let clicks = Access.reportReaders.admits(role) ? PagePath.clicks(by: .link, id, .month, link.scope) : nil
        func sessions(_ kind: String) -> String? {
            guard Access.sessionReaders.admits(role) else { return nil }
            return PagePath.query(PagePath.sessions(link.scope), [("kind", kind), ("link", id)])
        }
        return [
            Card(cardLabel: "Clicks", cardValue: figures.clicks.grouped, cardHref: clicks),
            Card(cardLabel: "Robots", cardValue: figures.robots.grouped, cardHref: latest.map { _ in visits(by: .robot) }),
            Card(cardLabel: "Sessions", cardValue: figures.sessions.grouped, cardHref: sessions("")),
            Card(cardLabel: "Installs", cardValue: figures.installs.grouped, cardHref: sessions("install")),
        ]
    }
}

extension Block {
    fileprivate static func latestClicks(_ clicks: [JSONObject], by visitor: ClickVisitor?) -> Block {
        guard !clicks.isEmpty else {
            let isOfRobots = visitor == .robot
            return Block(
                empty: EmptyState(
                    emptyTitle: "No \(isOfRobots ? "visits of robots" : "clicks") in the last 24 hours",
                    emptyText: isOfRobots
                        ? "Robots come where the link is shared: chats and networks fetch its card, search engines read it."
                        : "Open the link's address, or scan its code with a phone. The click is here when you read the page again.")
            )
        }
        let rows = clicks.map { view -> [Cell] in
            let system = [view["os"]?.string, view["os_version"]?.string].compactMap { $0 }.joined(separator: " ")
            return [
                Cell.time(view["time"]?.string ?? ""), Cell(system.isEmpty ? view["platform"]?.string ?? "" : system),
                Cell(view["browser"]?.string ?? ""), Cell(view["country"]?.string ?? ""),
                Cell(view["robot"]?.string.map { "robot: " + $0 } ?? "person"),
            ]
        }
        return Block(
            table: Table(
                "Latest clicks, of the last 24 hours",
                ["Time", "System", "Browser", "Country", "Visitor"].map { Table.Column(columnLabel: $0) }, rows,
                isCaptionVisible: true))
    }
}

extension Equivalents {
    fileprivate static func link(_ link: Link, _ url: String, key: String, by visitor: ClickVisitor?) -> Equivalents {
        let (option, parameter) = visitor.map { (" --visitor \($0.rawValue)", "&visitor=\($0.rawValue)") } ?? ("", "")
        return Equivalents(
            command: """
                linden links show \(url.shellQuoted)
                linden links clicks \(url.shellQuoted) --from 30d\(option)
                linden query counts --app \(key) --from 30d --filter link=\(link.id.rawValue)
                linden links update \(url.shellQuoted) \(link.isArchived ? "--restore" : "--archive")
                linden links delete \(url.shellQuoted)
                """,
            call: """
                GET /api/v1/links/\(link.id.rawValue)
                GET /api/v1/links/\(link.id.rawValue)/clicks?from=30d\(parameter)
                GET /api/v1/analytics/counts?app=\(key)&from=30d&filter=link%3D\(link.id.rawValue)
                PATCH /api/v1/links/\(link.id.rawValue)
                {"archived":\(!link.isArchived)}
                DELETE /api/v1/links/\(link.id.rawValue)
                """)
    }
}

extension Facts {
    fileprivate static func link(_ link: Link) -> Facts {
        var facts: [(name: String, cell: Cell)] = []
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
