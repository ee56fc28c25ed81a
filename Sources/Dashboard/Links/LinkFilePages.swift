import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// An app's links as a file, and links created from one.
extension Dashboard {
    private static let refusalsShown = 200

    func linksFile(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let order = LinkOrder(rawValue: page.query["sort"]) ?? .newest
        let source = try LinkFile(services, LinkFilter(page.query), order: order, of: app)
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
            let report = try await file.run(services.links, for: app, isDryRun: form.text("dry_run") == "true")
            return try self.page(of: report, page)
        } catch let failure as Failure where failure.isAboutInput {
            return try importPage(page, Failure(failure.code, "file: " + failure.message))
        }
    }

    private func importPage(_ page: PageRequest, _ failure: Failure?) throws -> DashboardAnswer {
        let scope = try page.app.scope
        let path = PagePath.links(scope)
        return try formPage(
            page, "Import links", lead: "Creates links from a CSV file with the columns of the download.",
            .importLinks(path), failure, section: path)
    }

    private func page(of report: LinkImportReport, _ page: PageRequest) throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.links(app.scope)
        let refused = report.rows.filter { $0.outcome == .refused }
        var blocks: [Block] = [
            report.isDryRun ? .note("Nothing was created. This is what an import would do.") : .success("The file was read."),
            .cards([
                Card(
                    cardLabel: report.isDryRun ? "To be created" : "Created", cardValue: Int64(report.count(.created)).grouped),
                Card(cardLabel: "Unchanged", cardValue: Int64(report.count(.unchanged)).grouped),
                Card(cardLabel: "Refused", cardValue: Int64(refused.count).grouped),
            ]),
        ]
        if !refused.isEmpty {
            blocks.append(
                Block(
                    table: Table(
                        refused.count > Self.refusalsShown ? "The first \(Self.refusalsShown) refused rows" : "Refused rows",
                        [Table.Column(columnLabel: "Row", isNumber: true), Table.Column(columnLabel: "Why")],
                        refused.prefix(Self.refusalsShown).map { [Cell.number(Int64($0.number)), Cell($0.reason ?? "")] },
                        isCaptionVisible: true)))
        }
        blocks.append(
            .buttons([
                Button(buttonLabel: "To the links", buttonHref: path, isMain: !report.isDryRun),
                Button(buttonLabel: "Another file", buttonHref: path + "/import", isMain: report.isDryRun),
            ]))
        return PageView("Import links", blocks).of(app, try page.user, section: path).answer()
    }
}

extension LinkFilter {
    /// The fields of the list's filter.
    init(_ query: FormFields) {
        self.init()
        text = query.text("search")
        channel = query.text("channel")
        campaign = query.text("campaign")
        tag = query.text("tag")
        folder = query.text("folder")
        state = State(rawValue: query["state"])
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
