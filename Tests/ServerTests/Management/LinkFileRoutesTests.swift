import HTTPTypes
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Links as CSV files: written with their data, and created from a file row by row.
@Suite struct LinkFileRoutesTests {
    private static let file = """
        alias,channel,campaign,tags,data,expires_at,max_clicks
        pears,mail,harvest,"red, sweet","{""variety"":""Williams"",""$deeplink_path"":""pears/1""}",2099-01-31T18:00:00Z,3
        figs,,,,,,
        """

    @Test func aFileOfLinksIsReadAndASecondTimeChangesNothing() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let first = try await Self.importFile(Self.file, app, token, exchange)
            #expect(first.status == 200, "\(first.body)")
            #expect(first.object["created"] == 2 && first.object["refused"] == 0 && first.object["dry_run"] == false)
            #expect(first.object["rows"]?.array?.map { $0.object?["row"] } == [2, 3])
            #expect(first.object["rows"]?.array?.first?.object?["url"] == "https://go.example.com/pears")

            let link = try await exchange.services.links.find("pears")
            #expect(link.labels == Labels(channel: "mail", campaign: "harvest", tags: ["red", "sweet"]))
            #expect(link.data == ["variety": "Williams", "$deeplink_path": "pears/1"])
            #expect(link.limits.maxClicks == 3 && link.isAuthenticated && link.scope == app.live.key.scope)

            let second = try await Self.importFile(Self.file, app, token, exchange)
            #expect(second.object["created"] == 0 && second.object["unchanged"] == 2, "\(second.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 2)
        }
    }

    @Test func aRefusedRowSaysWhyAndStopsNoOther() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears", "channel": "sms"])
            let answer = try await Self.importFile(
                """
                alias,channel,max_clicks,data
                pears,mail,,
                figs,mail,none,
                plums,mail,,{"a":
                v1,mail,,
                quinces,mail,5,"{""a"":1}"
                quinces,mail,5,
                short
                """, app, token, exchange)
            let rows = answer.object["rows"]?.array?.compactMap(\.object) ?? []
            #expect(rows.map { $0["outcome"] } == ["refused", "refused", "refused", "refused", "created", "refused", "refused"])
            for (row, reason) in zip(
                rows,
                [
                    "Link alias conflict: go.example.com/pears differs in channel", "max_clicks must be a whole number.",
                    "data must be an object", "alias must not begin with v1", "", "Row 6 has the alias quinces, too.",
                    "The row has 1 cells, fewer than the first row.",
                ])
            {
                #expect((row["reason"]?.string ?? "").hasPrefix(reason), "\(row)")
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 2)
        }
    }

    @Test func aReasonIsShortHoweverLongTheNamesInTheLinkAre() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let data = (0..<5).map { (String(repeating: "k", count: 5000) + "\($0)", JSON.integer(1)) }
            _ = try await exchange.createLink(
                app.live.key.branchKey, ["alias": "pears", "data": .object(JSONObject(data.map { (key: $0.0, value: $0.1) }))])
            let answer = try await Self.importFile("alias\npears", app, token, exchange)
            let reason = answer.object["rows"]?.array?.first?.object?["reason"]?.string ?? ""
            #expect(reason.hasPrefix("Link alias conflict: go.example.com/pears differs in data.kkk"), "\(reason)")
            #expect(reason.utf8.count < 500)
        }
    }

    @Test func aDryRunSaysTheSameAndWritesNothing() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "figs"])
            let answer = try await Self.importFile(Self.file, app, token, exchange, "&dry_run=true")
            #expect(answer.object["dry_run"] == true && answer.object["created"] == 1 && answer.object["unchanged"] == 1)
            #expect(answer.object["rows"]?.array?.map { $0.object?["url"] } == [.some(.null), "https://go.example.com/figs"])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 1)
        }
    }

    @Test(arguments: ["", "&dry_run=true"])
    func aTokenThatMayNotReadLinksDoesNotLearnWhatALinkIs(query: String) async throws {
        try await Exchange.run { exchange in
            let (app, editor) = try await Self.app(exchange)
            let ingest = try await exchange.token(.ingest, for: app)
            _ = try await Self.importFile("alias,channel,data\nfigs,mail,\"{\"\"a\"\":1}\"\npears,mail,", app, editor, exchange)
            let file = "alias,channel,data\nfigs,mail,\"{\"\"a\"\":1}\"\npears,sms,\nplums,sms,"
            let answer = try await Self.importFile(file, app, ingest, exchange, query)
            let rows = answer.object["rows"]?.array?.compactMap(\.object) ?? []
            #expect(rows.map { $0["outcome"] } == ["refused", "refused", "created"], "\(answer.body)")
            #expect(rows.prefix(2).map { $0["url"] } == [.null, .null])
            #expect(
                rows.prefix(2).map { $0["reason"] }
                    == ["Link alias conflict: go.example.com/figs", "Link alias conflict: go.example.com/pears"])
            let known = try await Self.importFile(file, app, editor, exchange, query)
            #expect(known.object["rows"]?.array?.first?.object?["outcome"] == "unchanged", "\(known.body)")
        }
    }

    @Test(
        arguments: [
            ("", 400, "The file is empty"), ("alias\n", 400, "The file has no row below"),
            ("alias,colour\na,b", 400, "\"colour\" is not a column of links. The first row must have names among alias, domain"),
            ("alias,alias\na,b", 400, "The column alias is there twice."),
            ("url,id\na,b", 400, "The first row must name the columns"),
            ("alias\n\"a", 400, "Row 2 has a quote that is not closed."),
            ("alias\n" + String(repeating: "a\n", count: 1001), 413, "The file may have at most 1001 rows."),
            (String(repeating: "a", count: LinkImport.mostBytes + 1), 413, "The body may have at most 524288 bytes."),
        ])
    func aFileThatCannotBeReadIsRefusedAsAWhole(text: String, status: Int, message: String) async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let answer = try await Self.importFile(text, app, token, exchange)
            #expect(answer.status == status && answer.errorMessage?.hasPrefix(message) == true, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
        }
    }

    @Test func whatIsWrittenIsReadBackAsTheSame() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let target = "/api/v1/links?app=\(app.app.id)"
            let links: [JSONObject] = [
                ["alias": "aa", "channel": "=cmd|' /C calc'!A0", "campaign": "+1", "stage": "-x", "feature": "@y", "tags": ["=t"]],
                ["alias": "bb", "tags": ["a,b", "[c]", " d"], "data": ["text": "\"quoted\",\r\nlines", "n": .decimal("1.50")]],
                ["alias": "äpfel/日本", "type": 2, "duration": 60, "expired_url": "https://example.com/", "max_clicks": 9],
                ["channel": "random"],
            ]
            for link in links {
                let created = try await exchange.manage(.post, target, token: token, .object(link))
                #expect(created.status == 200, "\(created.body)")
            }
            let written = try await exchange.manage(.get, "/api/v1/links/export?app=\(app.app.id)&sort=oldest", token: token)
            #expect(written.status == 200)
            #expect(written.headers[.contentType] == "text/csv; charset=utf-8")
            let rows = try CSVReader.rows(written.bytes, atMost: 99, cells: 99).map(\.cells)
            #expect(rows[0] == LinkTable.columns && rows.count == 5)
            for cell in rows[1] { #expect(!"=+-@".contains(cell.first ?? "x"), "\(cell)") }
            #expect(rows[1].contains("'=cmd|' /C calc'!A0"))

            let read = try await Self.importFile(written.body, app, token, exchange)
            #expect(read.object["unchanged"] == 4 && read.object["refused"] == 0, "\(read.body)")

            // Another installation gets the same links, at the same paths.
            let other = try await Exchange.run { there in
                let (app, token) = try await Self.app(there)
                _ = try await Self.importFile(written.body, app, token, there)
                return try await there.manage(.get, "/api/v1/links/export?app=\(app.app.id)&sort=oldest", token: token).bytes
            }
            let own = Set(["id", "created_at"].compactMap(LinkTable.columns.firstIndex(of:)))
            func content(_ row: [String]) -> [String] { row.indices.filter { !own.contains($0) }.map { row[$0] } }
            #expect(try CSVReader.rows(other, atMost: 99, cells: 99).map { content($0.cells) } == rows.map(content))
        }
    }

    @Test func aFileHasAllLinksThatPassTheFilter() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let rows = (1...120).map { "apple-\($0),\($0 % 2 == 0 ? "mail" : "sms")" }
            _ = try await Self.importFile("alias,channel\n" + rows.joined(separator: "\n"), app, token, exchange)
            func aliases(_ query: String) async throws -> [String] {
                let answer = try await exchange.manage(.get, "/api/v1/links/export?app=\(app.app.id)" + query, token: token)
                let column = try #require(LinkTable.columns.firstIndex(of: "alias"))
                return try CSVReader.rows(answer.bytes, atMost: 999, cells: 99).dropFirst().map { $0.cells[column] }
            }
            #expect(try await aliases("&sort=oldest") == (1...120).map { "apple-\($0)" })
            #expect(try await aliases("&channel=mail").count == 60)
            #expect(try await aliases("&search=apple-7").first == "apple-79")
            let wrong = try await exchange.manage(.get, "/api/v1/links/export?app=\(app.app.id)&state=x", token: token)
            #expect(wrong.errorMessage == "state must be one of open, ended, archived, deleted, not \"x\".")
        }
    }

    @Test func anArchivedLinkIsArchivedWhereItsFileIsRead() async throws {
        try await Exchange.run { exchange in
            let (app, token) = try await Self.app(exchange)
            let read = try await Self.importFile("alias,archived\ncox,true\ngala,false\npears,maybe", app, token, exchange)
            #expect(read.object["created"] == 2 && read.object["refused"] == 1, "\(read.body)")
            #expect(read.body.contains("archived must be true or false"))
            #expect(try await exchange.services.links.find("cox").isArchived)
            #expect(try await !exchange.services.links.find("gala").isArchived)
            let written = try await exchange.manage(
                .get, "/api/v1/links/export?app=\(app.app.id)&state=archived", token: token)
            let rows = try CSVReader.rows(written.bytes, atMost: 9, cells: 99).map(\.cells)
            let column = try #require(LinkTable.columns.firstIndex(of: "archived"))
            #expect(rows.count == 2 && rows[1][column] == "true")
            let again = try await Self.importFile(written.body, app, token, exchange)
            #expect(again.object["unchanged"] == 1, "\(again.body)")
        }
    }

    /// An operator of one app could otherwise keep the disk busy for all.
    @Test func theRowsOfAFileInTheDashboardCountAsLinks() async throws {
        var limits = RateLimits(exempt: [])
        limits[.createLink].address = Rate(perMinute: 100)
        try await Exchange.run(limits: limits) { exchange in
            let (app, _) = try await Self.app(exchange)
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let rows = Array(repeating: "mail", count: 60).joined(separator: "\n")
            let statuses = [
                try await Self.upload("channel\n" + rows, isDryRun: false, path, browser).status,
                try await Self.upload("channel\n" + rows, isDryRun: false, path, browser).status,
            ]
            #expect(statuses == [200, 429])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 60)
        }
    }

    @Test func theDashboardReadsAndWritesTheSameFiles() async throws {
        try await Exchange.run { exchange in
            let (app, _) = try await Self.app(exchange)
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(app.app.id)/links"
            #expect(try await browser.get(path).body.contains("href=\"\(path).csv\""))
            #expect(try await browser.get(path + "/import").body.contains("enctype=\"multipart/form-data\""))

            let checked = try await Self.upload(Self.file, isDryRun: true, path, browser)
            #expect(checked.body.contains("Nothing was created"), "\(checked.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
            let done = try await Self.upload(Self.file + "\npears,sms,,,,,", isDryRun: false, path, browser)
            #expect(done.body.contains("Row 2 has the alias pears, too."))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 2)
            let wrong = try await Self.upload("colour\nred", isDryRun: false, path, browser)
            #expect(wrong.status == 400 && wrong.body.contains("&quot;colour&quot; is not a column of links"))

            let file = try await browser.get(path + ".csv?channel=mail")
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"links.csv\"")
            #expect(file.body.contains("https://go.example.com/pears,pears") && !file.body.contains("figs"))
        }
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "file=alias%0Apears"), ("multipart/form-data", "--x\r\n\r\nalias\r\n--x--"),
        ("multipart/form-data; boundary=x", ""),
        ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\""),
        (
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nalias\npears\n\r\n--x"
        ),
        (
            "multipart/form-data; boundary=" + String(repeating: "-", count: 71),
            String(repeating: "-", count: 9999)
        ),
    ])
    func whatIsNoFormWithAFileIsRefused(type: String, body: String) async throws {
        try await Exchange.run { exchange in
            let (app, _) = try await Self.app(exchange)
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let answer = try await exchange.send(
                .post, "/dashboard/apps/\(app.app.id)/links/import", userAgent: UserAgents.desktop,
                headers: [
                    .accept: "text/html", .contentType: type, .cookie: browser.cookie ?? "",
                    .init("Sec-Fetch-Site")!: "same-origin",
                ], body: Array(body.utf8))
            #expect(answer.status == 400 && answer.body.contains("choose a file"), "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
        }
    }

    /// To compare such a text takes minutes, since a normal form sorts its marks.
    @Test(.timeLimit(.minutes(1))) func aLongFieldBesideTheFileIsReadToItsLimit() async throws {
        try await Exchange.run { exchange in
            let (app, _) = try await Self.app(exchange)
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let marks = "t" + String(repeating: "\u{301}", count: 110_000) + String(repeating: "\u{316}", count: 110_000)
            let field = "Content-Disposition: form-data; name="
            let body = "--x\r\n\(field)\"dry_run\"\r\n\r\n\(marks)\r\n--x\r\n\(field)\"file\"\r\n\r\nalias\npears\n\r\n--x--"
            let answer = try await exchange.send(
                .post, "/dashboard/apps/\(app.app.id)/links/import", userAgent: UserAgents.desktop,
                headers: [
                    .accept: "text/html", .contentType: "multipart/form-data; boundary=x", .cookie: browser.cookie ?? "",
                    .init("Sec-Fetch-Site")!: "same-origin",
                ], body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 1)
        }
    }

    // MARK: Parts

    private static func app(_ exchange: Exchange) async throws -> (app: CreatedApp, token: String) {
        let app = try await exchange.installation.createApp()
        return (app, try await exchange.token(for: app))
    }

    private static func importFile(
        _ text: String, _ app: CreatedApp, _ token: String, _ exchange: Exchange, _ query: String = ""
    ) async throws -> Exchange.Answer {
        try await exchange.send(
            .post, "/api/v1/links/import?app=\(app.app.id)" + query,
            headers: [.authorization: "Bearer " + token, .contentType: "text/csv"], body: Array(text.utf8))
    }

    private static func upload(
        _ text: String, isDryRun: Bool, _ path: String, _ browser: DashboardBrowser
    ) async throws -> Exchange.Answer {
        let boundary = "----orchard7"
        let body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"links.csv\"\r\nContent-Type: text/csv\r\n\r\n"
            + text
            + "\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"dry_run\"\r\n\r\n\(isDryRun)\r\n--\(boundary)--\r\n"
        return try await browser.exchange.send(
            .post, path + "/import", userAgent: UserAgents.desktop,
            headers: [
                .accept: "text/html", .contentType: "multipart/form-data; boundary=\(boundary)", .cookie: browser.cookie ?? "",
                .init("Sec-Fetch-Site")!: "same-origin",
            ], body: Array(body.utf8))
    }
}
