import HTTPTypes
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Folders, in which operators keep links.
@Suite struct LinkFolderTests {
    @Test func linksAreCreatedInAFolderListedByItAndMoved() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            var ids: [String] = []
            for folder in ["autumn", "autumn", nil] as [JSON?] {
                let created = try await orchard.manage(.post, "", folder.map { ["folder": $0] } ?? [:])
                #expect(created.object["folder"] == .some(folder ?? .null))
                ids.append(created.object["id"]?.string ?? "")
            }
            #expect(try await orchard.links("autumn") == [ids[1], ids[0]])
            #expect(try await orchard.links("Autumn") == [])

            let moved = try await orchard.manage(.patch, "/" + ids[0], ["folder": "spring"])
            #expect(moved.object["folder"] == "spring")
            let kept = try await orchard.manage(.patch, "/" + ids[0], ["channel": "mail"])
            #expect(kept.object["folder"] == "spring")
            _ = try await orchard.manage(
                .patch, "", ["links": JSON(Array(ids[1...])), "change": ["folder": "fair", "add_tags": ["ripe"]]])
            #expect(try await orchard.links("fair") == [ids[2], ids[1]])
            #expect(try await orchard.folders() == [["fair", "spring"]])
            _ = try await orchard.manage(.patch, "/" + ids[0], ["folder": nil])
            #expect(try await orchard.folders() == [["fair"]])

            let entry = try #require(try await exchange.auditEntries().last)
            #expect(entry.details.members["before"] == ["folder": "spring"] && entry.details.members["after"] == ["folder": nil])
        }
    }

    @Test func foldersAreListedPageByPageAndOnlyWithLinks() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            for folder in ["b", "a", "c", "B", "ä", "b"] { _ = try await orchard.manage(.post, "", ["folder": .string(folder)]) }
            let other = try await exchange.installation.createApp("Grove")
            _ = try await exchange.manage(
                .post, "/api/v1/links?app=\(other.app.id)", token: try await exchange.token(for: other), ["folder": "z"])
            #expect(try await orchard.folders(limit: 2) == [["B", "a"], ["b", "c"], ["ä"]])
            let link = try #require(try await orchard.links("c").first)
            _ = try await orchard.manage(.delete, "/" + link)
            #expect(try await orchard.folders() == [["B", "a", "b", "ä"]])
        }
    }

    @Test(arguments: [String(repeating: "x", count: 129), "a\0b"])
    func aFolderWithAnImpossibleNameIsRefused(name: String) async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let answer = try await orchard.manage(.post, "", ["folder": .string(name)])
            #expect(answer.status == 400 && answer.errorMessage?.hasPrefix("folder m") == true, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
        }
    }

    /// With the public key alone, anyone can create links.
    @Test func sdksNeitherSetNorSeeFolders() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            let key = orchard.app.live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears", "folder": "mine"])
            let link = try await exchange.services.links.find("pears")
            #expect(link.folder == nil)
            _ = try await orchard.manage(.patch, "/\(link.id)", ["folder": "autumn"])
            #expect(try await exchange.createLink(key, ["alias": "pears"]) == path)
            let read = try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com/pears")
            #expect(read.status == 200 && !read.body.contains("autumn"))
            #expect(try await exchange.services.links.find("pears").folder == "autumn")
        }
    }

    @Test func aFileHasTheFoldersOfItsLinks() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            for file in ["alias,folder\npears,autumn\n", "alias\npears\n", "alias,folder\npears,spring\n"] {
                let answer = try await exchange.send(
                    .post, "/api/v1/links/import?app=\(orchard.app.app.id)", headers: [.authorization: "Bearer " + orchard.token],
                    body: Array(file.utf8))
                let row = answer.object["rows"]?.array?.first?.object ?? [:]
                switch file {
                case "alias\npears\n": #expect(row["outcome"] == "unchanged")
                case "alias,folder\npears,autumn\n": #expect(row["outcome"] == "created")
                default: #expect(row["outcome"] == "refused" && row["reason"]?.string?.hasSuffix("differs in folder") == true)
                }
            }
            let file = try await exchange.manage(
                .get, "/api/v1/links/export?app=\(orchard.app.app.id)&folder=autumn", token: orchard.token)
            let rows = try CSVReader.rows(file.bytes, atMost: 9, cells: 99).map(\.cells)
            let column = try #require(LinkTable.columns.firstIndex(of: "folder"))
            #expect(rows.count == 2 && rows.last?[column] == "autumn")
        }
    }

    @Test func theDashboardShowsFiltersAndChangesFolders() async throws {
        try await Exchange.run { exchange in
            let orchard = try await Orchard(exchange)
            _ = try await orchard.manage(.post, "", ["alias": "pears", "folder": "autumn"])
            _ = try await orchard.manage(.post, "", ["alias": "figs"])
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = "/dashboard/apps/\(orchard.app.app.id)/links"
            let list = try await browser.get(path + "?folder=autumn").body
            #expect(list.contains("/pears<") && !list.contains("/figs<") && list.contains("in autumn"))
            let link = try await exchange.services.links.find("figs")
            #expect(try await browser.submit("\(path)/\(link.id)", ["folder": "spring"]).status == 303)
            #expect(try await browser.get("\(path)/\(link.id)").body.contains("spring"))
            let all = try await browser.get(path).body
            for folder in ["autumn", "spring"] { #expect(all.contains("<option value=\"\(folder)\"")) }
        }
    }
}

/// An app with links, and a token that changes them.
private struct Orchard {
    let exchange: Exchange
    let app: CreatedApp
    let token: String

    init(_ exchange: Exchange) async throws {
        self.exchange = exchange
        app = try await exchange.installation.createApp()
        token = try await exchange.token(for: app)
    }

    /// - Parameter path: the path below `/api/v1/links`.
    func manage(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> Exchange.Answer {
        try await exchange.manage(
            method, "/api/v1/links" + path + (path.isEmpty ? "?app=\(app.app.id)" : ""), token: token, body)
    }

    func links(_ folder: String) async throws -> [String] {
        let answer = try await exchange.manage(.get, "/api/v1/links?app=\(app.app.id)&folder=\(folder)", token: token)
        return answer.object["links"]?.array?.compactMap { $0.object?["id"]?.string } ?? []
    }

    func folders(limit: Int = 50) async throws -> [[String?]] {
        var (pages, cursor): ([[String?]], String?) = ([], "")
        while let last = cursor, pages.count < 9 {
            let answer = try await exchange.manage(
                .get, "/api/v1/links/folders?app=\(app.app.id)&limit=\(limit)&cursor=" + DashboardBrowser.encoded(last),
                token: token)
            pages.append(answer.object["folders"]?.array?.map(\.string) ?? [])
            cursor = answer.object["next_cursor"]?.string
        }
        return pages
    }
}
