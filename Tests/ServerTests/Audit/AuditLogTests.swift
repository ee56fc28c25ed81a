import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// What the audit log says, and to whom.
@Suite struct AuditLogTests {
    @Test func anEntrySaysWhoChangedWhatAndHow() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let created = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: token,
                ["alias": "pears", "channel": "mail", "tags": ["red"], "data": ["variety": "Cox", "$deeplink_path": "pears/1"]])
            let id = created.object["id"]?.string ?? ""
            _ = try await exchange.manage(
                .patch, "/api/v1/links/" + id, token: token, ["channel": "sms", "data": ["variety": "Williams"]])

            let answer = try await exchange.manage(.get, "/api/v1/audit?noun=link&subject=\(id)", token: token)

            let entries = answer.object["entries"]?.array?.compactMap(\.object) ?? []
            #expect(entries.map { $0["change"] } == ["changed", "created"])
            let changed = try #require(entries.first)
            #expect(changed["before"] == ["channel": "mail", "data.variety": "Cox"])
            #expect(changed["after"] == ["channel": "sms", "data.variety": "Williams"])
            #expect(changed["actor"] == "token" && changed["name"] == "test" && changed["interface"] == "api")
            #expect(changed["address"]?.string?.isEmpty == false, "\(changed)")
            #expect(changed["action"] == "PATCH /api/v1/links/{link_id}")
            #expect(changed["app_id"] == .string("\(app.app.id)") && changed["mode"] == "live")
            #expect(changed["time"]?.string == exchange.installation.clock.now.iso8601)
            #expect(entries.last?["before"] == .some(.null))
            #expect(entries.last?["after"]?.object?["path"] == "pears")
        }
    }

    @Test func aPageEndsOnceItsDetailsAreAMegabyte() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            for number in 0..<200 {
                let members = JSONObject((0..<190).map { (key: "member\($0)", value: JSON.string("\(number)")) })
                let body: JSON = ["name": "mail", "data": .object(members)]
                let path = "/api/v1/links/templates?app=\(app.app.id)"
                #expect(try await exchange.manage(.post, path, token: token, body).status == 200)
            }
            var (filter, position, pages) = (AuditFilter(), Int64?.none, [[AuditEntry]]())
            filter.noun = "template"
            repeat {
                let page = try await exchange.services.audit.list(filter, before: position, limit: 1000)
                (pages, position) = (pages + [page.entries], page.next)
            } while position != nil
            let bytes = pages.map { $0.reduce(0) { $0 + ($1.details.text?.utf8.count ?? 0) } }
            #expect(
                pages.count > 1
                    && bytes.dropLast().allSatisfy { $0 >= AuditService.mostBytes && $0 < AuditService.mostBytes + 200_000 })
            let positions = pages.joined().map(\.position)
            #expect(positions.count == 200 && positions == positions.sorted(by: >), "each once")
        }
    }

    @Test func everyWayIsNamed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key: JSONObject = ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret)]
            let link = try await exchange.createLink(app.live.key.branchKey)
            _ = try await exchange.send(
                .put, "/v1/url?url=https://go.example.com" + link, body: JSON.object(key.merging(["channel": "sms"])).bytes)
            let token = try await exchange.token(for: app)
            let made = try await exchange.tool("create_link", ["app": .string("\(app.app.id)"), "channel": "chat"], token: token)
            #expect(!made.isError, "\(made.text)")
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let found = try await exchange.services.links.find(String(link.dropFirst()))
            let path = "/dashboard/apps/\(app.app.id)/links/\(found.id)"
            #expect(try await browser.submit(path, ["channel": "poster"]).status == 303)
            let command = OperatorCall(.command, action: "linden links update", address: "orchard-1", actor: .command(by: "ann"))
            try await OperatorCall.$current.withValue(command) {
                _ = try await exchange.services.links.update(found.id, with: LinkChanges(channel: .clear))
            }

            let entries = try await exchange.auditEntries()
            #expect(
                entries.map { "\($0.interface) \($0.actorKind)" } == [
                    "api secret", "mcp token", "dashboard user", "command command",
                ])
            #expect(
                entries.map(\.action) == [
                    "PUT /v1/url", "POST /api/v1/links", "POST /dashboard/apps/{app}/links/{link}", "linden links update",
                ])
            #expect(entries.map { $0.details.members["actor"] } == ["Orchard", "test", "ann@orchard.example", "ann"])
            #expect(entries.last?.details.members["after"] == ["channel": nil])

            let page = try await browser.get(path)
            for text in ["Changes by operators", "secret Orchard", "channel: sms → poster", "channel: poster → –"] {
                #expect(page.body.contains(text), "\(text)")
            }
            let log = try await browser.get("/dashboard/apps/\(app.app.id)/audit?actor=user")
            #expect(log.body.contains("user ann@orchard.example") && !log.body.contains("secret Orchard"))
            #expect(try await browser.get("/dashboard/audit").body.contains("linden links update"))
            #expect(try await exchange.auditProblems() == [])
        }
    }

    @Test func whatFailsOrChangesNothingLeavesNoEntry() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/links?app=\(app.app.id)"
            _ = try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "mail"])
            let link = try await exchange.services.links.find("pears")
            let count = try await exchange.auditEntries().count

            #expect(try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "sms"]).status == 409)
            #expect(try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "mail"]).status == 200)
            #expect(try await exchange.manage(.patch, "/api/v1/links/\(link.id)", token: token, ["channel": "mail"]).status == 200)
            #expect(try await exchange.auditEntries().count == count)
        }
    }

    @Test func noSecretIsInTheLog() async throws {
        try await Exchange.run { exchange in
            let all = try await exchange.token()
            let created = try await exchange.manage(.post, "/api/v1/apps", token: all, ["name": "Grove"])
            let id = created.object["app_id"]?.string ?? ""
            let rotated = try await exchange.manage(.post, "/api/v1/apps/\(id)/secrets", token: all, [:])
            let token = try await exchange.manage(.post, "/api/v1/tokens", token: all, ["name": "x", "role": "admin"])
            let renewed = try await exchange.manage(
                .post, "/api/v1/tokens/\(token.object["token_id"]?.string ?? "")/secrets", token: all, [:])
            var browser = try await DashboardBrowser(exchange, as: .admin)
            _ = try await browser.submit("/dashboard/users", ["name": "bea", "role": "support", "app": ""])
            var secrets = [rotated, token, renewed].map { answer in
                answer.object.first { $0.key.hasSuffix("secret") || $0.key == "token" }?.value.string ?? ""
            }
            secrets += ["branch_secret", "test_branch_secret"].compactMap { created.object[$0]?.string } + [all]
            #expect(secrets.count == 6 && !secrets.contains(""))

            let entries = try await exchange.auditEntries()
            #expect(Set(entries.map(\.subject.noun)).isSuperset(of: ["app", "key", "secret", "token", "user"]))
            for entry in entries {
                let text = entry.details.text ?? ""
                for secret in secrets + secrets.map({ Hex.encode(Secret.hash($0)) }) { #expect(!text.contains(secret)) }
                #expect(!text.contains("argon2"))
            }
        }
    }

    @Test func aTokenOfOneAppListsTheChangesOfThatAppOnly() async throws {
        try await Exchange.run { exchange in
            let (app, other) = (try await exchange.installation.createApp(), try await exchange.installation.createApp("Grove"))
            let (all, own) = (try await exchange.token(), try await exchange.token(for: app))
            for id in [app.app.id, other.app.id] {
                _ = try await exchange.manage(.post, "/api/v1/links?app=\(id)", token: all, ["channel": "mail"])
            }
            _ = try await exchange.manage(.post, "/api/v1/rates", token: all, ["rates": ["EUR": "0.92"]])
            func nouns(_ query: String, _ token: String) async throws -> [String] {
                let answer = try await exchange.manage(.get, "/api/v1/audit" + query, token: token)
                return answer.object["entries"]?.array?.compactMap { $0.object?["noun"]?.string } ?? ["\(answer.status)"]
            }
            #expect(try await nouns("", all) == ["rate", "link", "link"])
            #expect(try await nouns("", own) == ["link"])
            #expect(try await nouns("?app=\(other.app.id)", all) == ["link"])
            #expect(try await nouns("?app=\(other.app.id)", own) == ["403"])
            #expect(try await nouns("?app=1", own) == ["403"])
            #expect(try await nouns("", try await exchange.token(.analyst, for: app)) == ["403"])
        }
    }

    @Test func theLogIsFilteredAndReadPageByPage() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            for _ in 1...5 { _ = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, [:]) }
            exchange.installation.clock.advance(by: .seconds(86400))
            _ = try await exchange.manage(.patch, "/api/v1/apps/\(app.app.id)", token: token, ["name": "Meadow"])

            let pages = try await exchange.pages("/api/v1/audit?noun=link&limit=2", token: token, of: "entries", "position")
            #expect(pages == [["5", "4"], ["3", "2"], ["1"]])
            let recent = try await exchange.manage(.get, "/api/v1/audit?from=today", token: token)
            #expect(recent.object["entries"]?.array?.map { $0.object?["noun"] } == ["app"])
            #expect(recent.object["entries"]?.array?.first?.object?["after"] == ["name": "Meadow"])
            #expect(try await exchange.manage(.get, "/api/v1/audit?actor=secret", token: token).object["entries"] == [])
            let wrong = try await exchange.manage(.get, "/api/v1/audit?actor=ann", token: token)
            #expect(wrong.errorMessage == "actor must be one of token, user, secret, command, not \"ann\".")
        }
    }

    // MARK: The chain

    @Test(arguments: [
        "UPDATE audit_entries SET details = '{}' WHERE position = 2", "DELETE FROM audit_entries WHERE position = 2",
        "UPDATE audit_entries SET action = 'linden apps list' WHERE position = 2",
        "UPDATE audit_entries SET created_at = created_at + 1 WHERE position = 2",
        "UPDATE audit_entries SET subject = NULL WHERE position = 2",
        "UPDATE audit_entries SET hash = details_hash WHERE position = 2",
        "UPDATE audit_entries SET details = NULL, salt = NULL, is_personal = 1 WHERE position = 2",
        "DELETE FROM audit_entries WHERE position = 3", "DELETE FROM audit_entries WHERE position >= 2",
        "DELETE FROM audit_entries", "DELETE FROM installation WHERE name = 'audit_head'",
    ])
    func anEntryThatIsAlteredOrRemovedIsFound(statement: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            for _ in 1...3 { _ = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, [:]) }
            #expect(try await exchange.auditProblems() == [])
            try await exchange.change(statement)
            #expect(try await !exchange.auditProblems().isEmpty)
        }
    }

    @Test func theRemovalOfTheNewestEntryIsFoundAlsoAfterFurtherOnes() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            for _ in 1...3 { _ = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, [:]) }
            try await exchange.change("DELETE FROM audit_entries WHERE position = 3")
            #expect(try await exchange.auditProblems() == ["Entries 3 to 3, the newest, are missing."])

            _ = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, [:])
            #expect(try await exchange.auditEntries().map(\.position) == [1, 2, 4])
            #expect(try await exchange.auditProblems().first == "Entries 3 to 3 are missing.")
        }
    }

    @Test func theErasureOfAUserErasesTheValuesAboutItAndTheChainHolds() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            _ = try await exchange.install(app.live.key.branchKey, ["identity": "ann"])
            for identity in ["ann", "bea"] {
                _ = try await exchange.manage(
                    .post, "/api/v1/credits/grants?app=\(app.app.id)", token: token,
                    ["identity": .string(identity), "amount": 4711])
            }
            let ann = try await exchange.services.people.identity("ann", in: app.live.key.scope)
            let grants = try await exchange.auditEntries()
            #expect(grants.map { $0.details.members["after"]?.object?["amount"] } == [4711, 4711])
            #expect(grants[0].details.members["after"]?.object?["identity_id"] == .integer(ann.id.rawValue))
            let reference = JSON.string(exchange.services.publicIDs.reference(to: ann.id))
            let shown = try await exchange.manage(.get, "/api/v1/audit?noun=credit", token: token).object["entries"]?.array
            #expect(shown?.last?.object?["after"]?.object?["identity_id"] == reference)

            let command = OperatorCall(.command, action: "linden identities erase", address: "", actor: .command(by: "root"))
            _ = try await OperatorCall.$current.withValue(command) { try await exchange.services.people.erase(ann) }

            let entries = try await exchange.auditEntries()
            #expect(entries.map { $0.details.text == nil } == [true, false, false])
            #expect(entries[0].hash == grants[0].hash && entries[0].actorKind == .token)
            #expect(entries.last.map { "\($0.subject.noun) \($0.subject.change) \($0.subject.id ?? "")" } == "identity deleted ")
            #expect(entries.allSatisfy { !($0.details.text ?? "").contains("\(ann.id)") })
            #expect(try await exchange.auditProblems() == [])
            let view = try await exchange.manage(.get, "/api/v1/audit?noun=credit", token: token).object["entries"]?.array
            #expect(view?.map { $0.object?["erased"] } == [false, true])
        }
    }
}
