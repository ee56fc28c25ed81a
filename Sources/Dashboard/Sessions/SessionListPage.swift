import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The list of an app's sessions: filters and pages.
extension Dashboard {
    private static let sessionsPerPage = 25

    func sessionsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, query) = (try page.app, try page.user, page.query)
        let path = PagePath.sessions(app.scope)
        let after: Session.ID? = query.text("cursor").flatMap { services.publicIDs.id(named: $0) }
        let chosen = SessionFilter.fields.map { (name: $0, value: query[$0]) }
        let form = Form.sessions(path, query)
        var blocks: [Block] = [.buttons([Button(buttonLabel: "Try other rules", buttonHref: PagePath.replay(app.scope))])]
        var failure: Failure?
        do {
            let filter = try SessionFilter(query, now: services.clock.now())
            let list = try await services.explanations.list(filter, of: app.scope, after: after, limit: Self.sessionsPerPage)
            blocks.append(Block(filter: form))
            if list.sessions.isEmpty {
                let isFiltered = after != nil || chosen.contains { !$0.value.isEmpty }
                blocks.append(
                    Block(empty: .noSessions(isFiltered: isFiltered, hasMore: list.next != nil, path, key: app.key.branchKey)))
            } else {
                let links = Set(list.sessions.compactMap { $0.link == .long ? nil : $0.link.map { "\($0)" } })
                let captions = try await services.analytics.captions(of: links, in: app.scope)
                blocks.append(Block(table: .sessions(list.sessions, captions, in: path, services.publicIDs)))
            }
            let next = list.next.map {
                PagePath.query(path, chosen + [("cursor", services.publicIDs.reference(to: $0))])
            }
            if after != nil || next != nil {
                blocks.append(Block(pager: Pager(firstHref: after == nil ? nil : PagePath.query(path, chosen), nextHref: next)))
            }
        } catch let fault as Failure where fault.isAboutInput {
            let said = form.saying(fault)
            if said == nil { blocks.append(.problem(fault.message)) }
            blocks.append(Block(filter: said ?? form))
            failure = fault
        }
        blocks.append(Block(equivalents: .sessions(app.key.branchKey, chosen)))
        return PageView("Attribution", lead: "Installs and opens, newest first. Open one to see why.", blocks)
            .of(app, user, section: path).answer(failure.map { .failed($0.code) } ?? .found)
    }
}

extension SessionFilter {
    /// The names of the filter's fields, as over HTTP.
    fileprivate static let fields = ["search", "outcome", "kind", "link", "platform", "channel", "from", "to"]

    /// Fails with `invalid` and the name of the field for a malformed time or link id.
    fileprivate init(_ query: FormFields, now: Timestamp) throws {
        self.init()
        text = query.text("search")
        outcome = AttributionDecision.Outcome(rawValue: query["outcome"])
        kind = try? query.text("kind").map(Self.kind)
        link = try query.text("link").map(Self.link)
        platform = Platform(rawValue: query["platform"])
        channel = query.text("channel")
        started = try ExportRange.times(from: query.text("from"), to: query.text("to"), now: now)
    }
}

extension Form {
    fileprivate static func sessions(_ path: String, _ query: FormFields) -> Form {
        Form(
            path, method: "get", submit: "Search",
            [
                .text("search", "Search", query["search"], type: "search", hint: "In what the app received."),
                .choice(
                    "outcome", "Outcome", query["outcome"],
                    [("", "all")] + AttributionDecision.Outcome.allCases.map { ($0.rawValue, $0.rawValue) }),
                .choice(
                    "kind", "Kind", query["kind"],
                    [("", "all")] + Session.Kind.allCases.map { ($0.name, $0.title.lowercased()) }),
                .text("link", "Link", query["link"], hint: "The id of a link."),
                .choice(
                    "platform", "Platform", query["platform"],
                    [("", "all"), ("ios", "iOS"), ("android", "Android"), ("web", "Web"), ("other", "other")]),
                .text("channel", "Channel", query["channel"]),
                .text("from", "From", query["from"], hint: "Such as 2027-01-31 or 30d."),
                .text("to", "To", query["to"], hint: "Empty: now."),
            ])
    }
}

extension Table {
    /// - Parameter captions: those of links, by their ids.
    fileprivate static func sessions(
        _ sessions: [SessionSummary], _ captions: [String: LinkCaption], in path: String, _ publicIDs: PublicIDs
    ) -> Table {
        Table(
            "Sessions", ["Time", "Kind", "Outcome", "Link", "Matcher", "Why"].map { Column(columnLabel: $0) },
            sessions.map { session in
                [
                    Cell.time(session.id.time.iso8601), Cell(session.kind.title), Cell(session.outcome.rawValue),
                    link(of: session, captions), Cell(session.matcher ?? ""),
                    Cell("explain", href: path + "/" + publicIDs.reference(to: session.id)),
                ]
            })
    }

    private static func link(of session: SessionSummary, _ captions: [String: LinkCaption]) -> Cell {
        guard let id = session.link else { return Cell("") }
        let caption = captions["\(id)"]
        guard let name = caption?.title ?? caption?.url else { return Cell(id == .long ? "a long link" : "\(id)") }
        return Cell(name, href: PagePath.link(id, session.scope))
    }
}

extension EmptyState {
    fileprivate static func noSessions(isFiltered: Bool, hasMore: Bool, _ path: String, key: String) -> EmptyState {
        if hasMore {
            return EmptyState(
                emptyTitle: "None among the sessions read so far",
                emptyText:
                    "At most \(Int64(ExplanationService.mostSessionsRead).grouped) sessions are read for a page. The next page goes on "
                    + "from there; a shorter time reads fewer.")
        }
        if isFiltered {
            return EmptyState(
                emptyTitle: "No session matches", emptyText: "Remove a filter, or choose a longer time.", emptyHref: path,
                emptyAction: "Show all sessions")
        }
        return EmptyState(
            emptyTitle: "No session yet",
            emptyText: "A session begins when the app is opened. Configure its SDK with this branch key:", emptyCommand: key)
    }
}

extension Equivalents {
    fileprivate static func sessions(_ key: String, _ chosen: [(name: String, value: String)]) -> Equivalents {
        let given = chosen.filter { !$0.value.isEmpty }
        return Equivalents(
            command: "linden sessions list --app \(key)" + given.map { " --\($0.name) \($0.value.shellQuoted)" }.joined(),
            call: "GET " + PagePath.query("/api/v1/sessions", [("app", key)] + given))
    }
}
