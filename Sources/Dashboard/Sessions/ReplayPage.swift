import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Other rules, tried on the stored sessions: which would go to another link or to none, and why. Nothing is changed.
extension Dashboard {
    /// The most sessions that are decided for a page. Deciding one takes some hundred microseconds.
    private static let mostSessions = 5000
    private static let changesShown = 200

    private struct Enough: Error {}

    func replayPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, choice) = (try page.app, ReplayChoice(page.query))
        let path = PagePath.replay(app.scope)
        let form = choice.form(path)
        var blocks: [Block] = []
        var failure: Failure?
        do {
            blocks.append(Block(filter: form))
            if choice.isAsked {
                let replay = try choice.replay(of: app.scope, services.attributionRules, now: services.clock.now())
                blocks += try await self.blocks(of: replay)
            } else {
                blocks.append(.paragraph("Nothing is changed. Without other rules, those of the server decide."))
            }
        } catch let fault as Failure where fault.isAboutInput {
            blocks = [Block(filter: form.saying(fault) ?? form.saying("rules: " + fault.message, at: "rules"))]
            failure = fault
        }
        blocks.append(Block(equivalents: choice.equivalents(app.key.branchKey)))
        return PageView("Try other rules", lead: "What other rules would have decided, and why.", blocks)
            .of(app, try page.user, section: PagePath.sessions(app.scope)).answer(failure.map { .failed($0.code) } ?? .found)
    }

    private func blocks(of replay: Replay) async throws -> [Block] {
        var (figures, changes, end) = (ReplayFigures(), [ReplayChange](), Timestamp?.none)
        do {
            figures = try await services.replays.run(replay) { change in
                if changes.count < Self.changesShown { changes.append(change) }
            } onPage: { counted, time in
                figures = counted
                guard counted.sessions < Self.mostSessions else {
                    end = time
                    throw Enough()
                }
            }
        } catch is Enough {}
        var blocks: [Block] = []
        if let end {
            blocks.append(
                .note(
                    "Decided are the first \(Int64(figures.sessions).grouped) sessions, until \(end.iso8601). Choose a shorter time for "
                        + "later ones, or use the command below for all."))
        }
        blocks.append(
            .cards([
                Card(cardLabel: "Sessions", cardValue: Int64(figures.sessions).grouped),
                Card(cardLabel: "Without evidence", cardValue: Int64(figures.withoutEvidence).grouped),
                Card(cardLabel: "Would change", cardValue: Int64(figures.changed).grouped),
            ]))
        guard !changes.isEmpty else {
            let text =
                figures.sessions == 0
                ? "No session began in this time." : "Each session would be decided as it is now, or has no evidence to decide by."
            return blocks + [Block(empty: EmptyState(emptyTitle: "Nothing would change", emptyText: text))]
        }
        blocks.append(Block(table: table(of: changes, in: replay.scope)))
        if figures.changed > changes.count {
            blocks.append(.paragraph("The first \(changes.count) of \(Int64(figures.changed).grouped) changes are shown."))
        }
        return blocks
    }

    private func table(of changes: [ReplayChange], in scope: Scope?) -> Table {
        func cell(_ outcome: ReplayChange.Outcome) -> Cell {
            let page = outcome.link.flatMap { link in scope.map { PagePath.link(link, $0) } }
            return Cell(outcome.outcome.rawValue, href: page, note: outcome.matcher)
        }
        return Table(
            "Sessions that would change", ["Session", "Now", "By these rules", "Why"].map { Table.Column(columnLabel: $0) },
            changes.map { change in
                var time = Cell.time(change.session.time.iso8601)
                time.cellHref = scope.map { PagePath.sessions($0) + "/" + services.publicIDs.reference(to: change.session) }
                return [time, cell(change.before), cell(change.after), Cell(change.reason)]
            }, isCaptionVisible: true)
    }
}

/// The time and the rules that the form of a replay asks for.
struct ReplayChoice: Sendable {
    private static let standardFrom = "7d"
    private static let numbers = ["threshold", "tie_margin"]

    private let values: [String: String]

    init(_ query: FormFields) {
        values = Dictionary(uniqueKeysWithValues: (["from", "to", "rules"] + Self.numbers).map { ($0, query[$0]) })
    }

    private func value(_ name: String) -> String { values[name] ?? "" }

    /// Whether the form was sent. Without it nothing is decided.
    var isAsked: Bool { !value("from").isEmpty }

    func form(_ path: String) -> Form {
        let standard = AttributionRules.standard
        return Form(
            path, method: "get", submit: "Try",
            [
                .text("from", "From", isAsked ? value("from") : Self.standardFrom, hint: "Such as 2027-01-31 or 30d."),
                .text("to", "To", value("to"), hint: "Empty: now."),
                .text(
                    "threshold", "Points that a click needs", value("threshold"), type: "number",
                    hint: "Empty: \(standard.threshold)."),
                .text(
                    "tie_margin", "Points ahead of the next", value("tie_margin"), type: "number",
                    hint: "Empty: \(standard.tieMargin)."),
                .text(
                    "rules", "Other rules", value("rules"),
                    hint: #"As JSON, such as {"other_language": -30}. linden replay --print-rules lists all."#),
            ])
    }

    /// The rules that differ from the standard ones. Fails with `invalid` and the name of the field.
    private func changes() throws -> JSONObject {
        var changes: JSONObject = [:]
        if !value("rules").isEmpty {
            guard let object = try? JSON.parse(value("rules"), within: .untrusted).object else {
                throw Failure.invalid(#"rules must be a JSON object such as {"other_language": -30}."#)
            }
            changes = object
        }
        for name in Self.numbers where !value(name).isEmpty {
            changes[name] = Int64(value(name)).map(JSON.integer) ?? .string(value(name))
        }
        return changes
    }

    /// - Parameter present: the rules of the server, which apply if the form names none.
    func replay(of scope: Scope, _ present: AttributionRules, now: Timestamp) throws -> Replay {
        let range = try ExportRange(from: value("from"), to: value("to").isEmpty ? nil : value("to"), now: now)
        let changes = try self.changes()
        return Replay(
            start: range.from, end: range.to, scope: scope,
            rules: changes.isEmpty ? present : try AttributionRules(changes: changes))
    }

    func equivalents(_ key: String) -> Equivalents {
        let changes = (try? self.changes()) ?? [:]
        var command = "linden replay --app \(key) --from \((isAsked ? value("from") : Self.standardFrom).shellQuoted)"
        if !value("to").isEmpty { command += " --to \(value("to").shellQuoted)" }
        if !changes.isEmpty {
            command = "echo \(JSON.object(changes).text.shellQuoted) > rules.yaml\n\(command) --rules rules.yaml"
        }
        return Equivalents(command: command, call: "The management API has no such call.")
    }
}
