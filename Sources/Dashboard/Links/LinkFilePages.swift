import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// An app's links as a file, and links created from one.
extension Dashboard {
    func linksFile(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let order = LinkOrder(rawValue: page.query["sort"]) ?? .newest
        let source = try LinkFile(services, try LinkFilter(page.query, services.clock.now()), order: order, of: app)
        return DashboardAnswer(contentType: "text/csv; charset=utf-8", file: (source, app.app.id), fileName: "links.csv")
    }

    func importLinksPage(_ page: PageRequest) throws -> DashboardAnswer { try importPage(page, nil) }

    func importLinks(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        guard let form = MultipartForm(page.request.body, contentType: page.request.contentType) else {
            return try importPage(page, Failure.invalid("file is missing: choose a file."))
        }
        do {
            let file = try LinkImport(csv: form.bytes("file"), services.publicIDs)
            try Admission.current?.admit(.createLink, amount: file.rowCount)
            let report = try await file.run(services.links, for: app, isDryRun: form.text("dry_run") == "true")
            return try self.page(of: report, page)
        } catch let failure as Failure where failure.isAboutInput {
            return try importPage(page, Failure(failure.code, "file: " + failure.message))
        }
    }

    private func importPage(_ page: PageRequest, _ failure: Failure?) throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.links(app.scope)
        return try formPage(
            page, "Import links", lead: "Creates links from a CSV file with the columns of the download.",
            .importLinks(path), failure, section: path, following: [Block(equivalents: .importLinks(app.key.branchKey))])
    }

    private func page(of report: LinkImportReport, _ page: PageRequest) throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.links(app.scope)
        let blocks: [Block] = [
            report.isDryRun ? .note("Nothing was created. This is what an import would do.") : .success("The file was read."),
            .cards([
                Card(
                    cardLabel: report.isDryRun ? "To be created" : "Created", cardValue: Int64(report.count(.created)).grouped),
                Card(cardLabel: "Unchanged", cardValue: Int64(report.count(.unchanged)).grouped),
                Card(cardLabel: "Refused", cardValue: Int64(report.count(.refused)).grouped),
            ]),
            .buttons([
                Button(buttonLabel: "To the links", buttonHref: path, isMain: !report.isDryRun),
                Button(
                    buttonLabel: report.isDryRun ? "Read a file" : "Another file", buttonHref: path + "/import",
                    isMain: report.isDryRun),
            ]),
            Block(table: .outcomes(of: report, app.scope)),
            Block(equivalents: .importLinks(app.key.branchKey)),
        ]
        return PageView("Import links", blocks).of(app, try page.user, section: path).answer()
    }
}

extension Table {
    /// What became of each row, refused ones first.
    fileprivate static func outcomes(of report: LinkImportReport, _ scope: Scope) -> Table {
        let rows = report.rows.filter { $0.outcome == .refused } + report.rows.filter { $0.outcome != .refused }
        return Table(
            "Each row of the file",
            [
                Column(columnLabel: "Row", isNumber: true), Column(columnLabel: "Outcome"), Column(columnLabel: "Link or reason"),
            ],
            rows.map { row in
                let outcome = row.outcome == .created && report.isDryRun ? "to be created" : row.outcome.rawValue
                return [
                    .number(Int64(row.number)), Cell(outcome),
                    Cell(row.reason ?? row.url ?? "", href: row.link.map { PagePath.link($0, scope) }),
                ]
            }, isCaptionVisible: true)
    }
}

extension Equivalents {
    fileprivate static func importLinks(_ key: String) -> Equivalents {
        Equivalents(
            command: "linden links import links.csv --app \(key) --dry-run",
            call: "POST " + PagePath.query("/api/v1/links/import", [("app", key), ("dry_run", "true")]))
    }
}

extension Form {
    fileprivate static func importLinks(_ path: String) -> Form {
        var form = Form(
            path + "/import", submit: "Read the file", cancel: path,
            [
                .text(
                    "file", "File", type: "file",
                    hint:
                        "CSV in UTF-8, at most \(LinkImport.mostRows) rows and \(LinkImport.mostBytes >> 10) KiB. The first row names "
                        + "the columns, such as alias, channel, campaign, tags, data.",
                    autocomplete: nil, isRequired: true),
                .choice(
                    "dry_run", "What to do", "true", [("true", "only check the rows"), ("false", "create the links")],
                    hint: "A link that exists with the same content stays as it is. One with other content is refused."),
            ])
        form.isUpload = true
        return form
    }
}
