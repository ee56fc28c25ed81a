import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// A session of an app, and why it was attributed to its link or to none.
extension Dashboard {
    func sessionPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let session = try await session(page)
        let view = try await services.explanations.explanation(of: session).view(services.publicIDs, services.baseURL)
        return PageView.explanation(of: session, view, id: services.publicIDs.reference(to: session.id))
            .of(app, user, section: PagePath.sessions(app.scope)).answer()
    }

    /// Returns the session that the path names. Fails with `notFound` for a session of another app or side.
    private func session(_ page: PageRequest) async throws -> Session {
        let session: Session
        do {
            session = try await services.explanations.session(page.parameter("session"))
        } catch let failure as Failure where failure.code == .notFound {
            throw Failure.notFound("There is no such session.")
        }
        guard session.scope == (try page.app).scope else { throw Failure.notFound("There is no such session.") }
        return session
    }
}

extension PageView {
    /// The page that says why a session was attributed to its link or to none, without the navigation.
    ///
    /// - Parameters:
    ///   - view: the explanation, as over HTTP.
    ///   - id: the session's reference.
    static func explanation(of session: Session, _ view: JSONObject, id: String) -> PageView {
        let time = Cell.time(session.id.time.iso8601).cellText
        var lead = "\(session.kind.title) on \(time)"
        if let isAttributed = view["attributed"]?.bool {
            lead += ", attributed to " + (isAttributed ? view["link"]?.string ?? "an ad" : "no link")
        }
        return PageView("Why?", lead: lead, blocks(of: session, view, id: id))
    }

    private static func blocks(of session: Session, _ view: JSONObject, id: String) -> [Block] {
        let candidates = (view["candidates"]?.array ?? []).compactMap(\.object)
        let scope = session.scope
        var facts: [(name: String, cell: Cell)] = [
            ("Outcome", Cell(view["outcome"]?.string ?? "")), ("Matcher", Cell(view["matcher"]?.string ?? "none")),
        ]
        if let link = view["link"]?.string {
            let page = session.link.map { PagePath.link($0, scope) }
            facts.append(("Link", Cell(link, href: page)))
        }
        if let certain = view["match_guaranteed"]?.bool {
            facts.append(("Match", Cell(certain ? "deterministic" : "probabilistic")))
        }
        if let wrong = view["estimated_wrong_per_thousand"]?.int64 {
            facts.append(("Estimated wrong matches", Cell("\(wrong) of 1,000 with this score")))
        }
        facts.append(("Session", Cell.code(id)))
        var blocks: [Block] = [.note(view["reason"]?.string ?? ""), Block(facts: Facts(facts))]
        blocks.append(
            candidates.isEmpty
                ? .paragraph("No click was compared with this session.") : Block(table: .candidates(candidates, scope)))
        if candidates.contains(where: { $0["signals"]?.array?.isEmpty == false }) {
            blocks.append(Block(table: .signals(Array(candidates.prefix(mostColumns)))))
        }
        let answers = (view["answers"]?.array ?? []).compactMap(\.object)
        if !answers.isEmpty { blocks.append(Block(table: .answers(answers))) }
        return blocks + [
            Block(preformatted: Preformatted(preSummary: "What the app received", preText: JSON.object(session.data).text)),
            Block(equivalents: Equivalents(command: "linden explain \(id)", call: "GET /api/v1/sessions/\(id)/explanation")),
        ]
    }

    /// The most candidates whose signals stand side by side.
    private static let mostColumns = 5
}

extension Session.Kind {
    /// The kind at the beginning of a sentence, such as `Install`.
    var title: String { (name.prefix(1).uppercased() + name.dropFirst()).replacing("_", with: " ") }
}

extension Table {
    fileprivate static func candidates(_ candidates: [JSONObject], _ scope: Scope) -> Table {
        Table(
            "The clicks that were compared",
            [
                Column(columnLabel: "Click"), Column(columnLabel: "Link"), Column(columnLabel: "Matcher"),
                Column(columnLabel: "Points", isNumber: true), Column(columnLabel: "Result"),
            ],
            candidates.enumerated().map { index, candidate in
                let id = candidate["link_id"]?.string.flatMap { Int64($0) }.map { Link.ID(rawValue: $0) }
                var time = Cell.time(candidate["clicked_at"]?.string ?? "")
                time.cellNote = "candidate \(index + 1)"
                return [
                    time, Cell(candidate["link"]?.string ?? "deleted", href: id.map { PagePath.link($0, scope) }),
                    Cell(candidate["matcher"]?.string ?? ""), .figure(candidate["points"]?.scalarText ?? ""),
                    Cell(candidate["won"]?.bool == true ? "won" : "lost", note: candidate["reason"]?.string),
                ]
            }, isCaptionVisible: true)
    }

    /// The signals of the candidates, side by side.
    fileprivate static func signals(_ candidates: [JSONObject]) -> Table {
        var names: [String] = []
        let columns = candidates.map { candidate in
            var cells: [String: Cell] = [:]
            for signal in (candidate["signals"]?.array ?? []).compactMap(\.object) {
                guard let name = signal["name"]?.string else { continue }
                if !names.contains(name) { names.append(name) }
                cells[name] = Cell(signal["seen"]?.string ?? "", note: signal["points"]?.scalarText.map { "\($0) points" })
            }
            return cells
        }
        return Table(
            "What was compared",
            [Column(columnLabel: "Signal")] + candidates.indices.map { Column(columnLabel: "Candidate \($0 + 1)") },
            names.map { name in [Cell(name)] + columns.map { $0[name] ?? Cell("") } }, isCaptionVisible: true)
    }

    fileprivate static func answers(_ answers: [JSONObject]) -> Table {
        Table(
            "The matchers that were tried, in order", [Column(columnLabel: "Matcher"), Column(columnLabel: "Result")],
            answers.map { [Cell($0["matcher"]?.string ?? ""), Cell($0["reason"]?.string ?? "")] }, isCaptionVisible: true)
    }
}
