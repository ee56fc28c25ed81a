import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The audit log: who changed what, of one app or of the whole installation.
extension Dashboard {
    private static let entriesShown = 50
    private static let changesOfLink = 20

    func auditPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.audit(app.scope)
        let (blocks, outcome) = try await auditBlocks(page, path, app: app)
        return PageView("Audit log", lead: "What operators changed in this app, newest first.", blocks).of(app, user, section: path)
            .answer(outcome)
    }

    func wholeAuditPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (blocks, outcome) = try await auditBlocks(page, PagePath.wholeAudit, app: nil)
        return PageView("Audit log", lead: "What operators changed in all apps and in the installation, newest first.", blocks)
            .with(try page.user).answer(outcome)
    }

    private func auditBlocks(
        _ page: PageRequest, _ path: String, app: AppContext?
    ) async throws -> (blocks: [Block], outcome: DashboardAnswer.Outcome) {
        let query = page.query
        let chosen = Form.auditFilterNames.map { (name: $0, value: query[$0]) }
        let form = Form.auditFilter(path, query)
        var filter: AuditFilter
        do {
            filter = try AuditFilter(query, now: services.clock.now())
        } catch let failure as Failure where failure.code == .invalid {
            let said = form.saying(failure)
            return ((said == nil ? [.problem(failure.message)] : []) + [Block(filter: said ?? form)], .failed(.invalid))
        }
        filter.app = app?.app.id
        let list = try await services.audit.list(filter, before: Int64(query["cursor"]), limit: Self.entriesShown)
        var blocks: [Block] = [Block(filter: form)]
        blocks.append(
            list.entries.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "No change",
                        emptyText: "Each change by an operator gets an entry here, whichever way it was made."))
                : Block(table: .audit(list.entries, services.publicIDs)))
        let next = list.next.map { PagePath.query(path, chosen + [("cursor", String($0))]) }
        if next != nil || !query["cursor"].isEmpty {
            blocks.append(
                Block(pager: Pager(firstHref: query["cursor"].isEmpty ? nil : PagePath.query(path, chosen), nextHref: next)))
        }
        blocks.append(Block(equivalents: .audit(app, chosen)))
        return (blocks, .found)
    }

    /// Returns the last changes of a link by operators, newest first.
    func changes(of link: Link) async throws -> [AuditEntry] {
        var filter = AuditFilter()
        (filter.noun, filter.subject) = ("link", String(link.id.rawValue))
        return try await services.audit.list(filter, limit: Self.changesOfLink).entries
    }

    /// Returns the last changes of an app's settings, newest first, for a chart.
    func changes(of app: AppContext) async throws -> [Chart.Event] {
        var filter = AuditFilter()
        (filter.app, filter.noun, filter.subject) = (app.app.id, "app", "\(app.app.id)")
        return try await services.audit.list(filter, limit: Self.changesOfLink).entries
            .filter { $0.subject.change == .changed && ($0.subject.mode ?? app.scope.mode) == app.scope.mode }
            .map { Chart.Event(time: $0.time, text: "settings changed by \($0.who)") }
    }
}

extension Block {
    /// The changes of a link, for its page.
    static func history(_ entries: [AuditEntry], _ publicIDs: PublicIDs) -> Block {
        let rows = entries.map { entry in
            [
                Cell.time(entry.time.iso8601), Cell(entry.who), Cell(entry.subject.change.rawValue), Cell(entry.values(publicIDs)),
            ]
        }
        return Block(
            table: Table(
                entries.isEmpty ? "No changes by operators" : "Changes by operators",
                ["Time", "Who", "Change", "Values"].map { Table.Column(columnLabel: $0) }, rows, isCaptionVisible: true))
    }
}

extension AuditFilter {
    /// Fails with `invalid` for a malformed time.
    fileprivate init(_ query: FormFields, now: Timestamp) throws {
        self.init()
        actorKind = AuditActor.Kind(rawValue: query["actor"])
        noun = query.text("noun")
        subject = query.text("subject")
        times = try ExportRange.times(from: query.text("from"), to: query.text("to"), now: now)
    }
}

extension Table {
    fileprivate static func audit(_ entries: [AuditEntry], _ publicIDs: PublicIDs) -> Table {
        Table(
            "Audit log", ["Time", "Who", "Action", "What", "Values"].map { Column(columnLabel: $0) },
            entries.map { entry in
                [
                    Cell.time(entry.time.iso8601), Cell(entry.who, note: entry.details.members["address"]?.string),
                    Cell(entry.action, note: entry.interface), Cell(entry.what, note: entry.subject.change.rawValue),
                    Cell(entry.values(publicIDs)),
                ]
            })
    }
}

extension Form {
    fileprivate static let auditFilterNames = ["actor", "noun", "subject", "from", "to"]

    fileprivate static func auditFilter(_ path: String, _ query: FormFields) -> Form {
        Form(
            path, method: "get", submit: "Show",
            [
                .choice(
                    "actor", "By", query["actor"],
                    [
                        ("", "everyone"), ("user", "users of the dashboard"), ("token", "access tokens"),
                        ("secret", "secrets of apps"),
                        ("command", "commands"),
                    ]),
                .text("noun", "Kind", query["noun"]), .text("subject", "Id", query["subject"]),
                .text("from", "From", query["from"]), .text("to", "To", query["to"]),
            ])
    }
}

extension Equivalents {
    fileprivate static func audit(_ app: AppContext?, _ chosen: [(name: String, value: String)]) -> Equivalents {
        let given = (app.map { [(name: "app", value: $0.key.branchKey)] } ?? []) + chosen.filter { !$0.value.isEmpty }
        return Equivalents(
            command: "linden audit" + given.map { " --\($0.name) \($0.value.shellQuoted)" }.joined(),
            call: "GET " + PagePath.query("/api/v1/audit", given))
    }
}
