import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct LinkBulkRoutesTests {
    @Test func severalLinksAreChangedEachWithItsOutcome() async throws {
        try await Exchange.run { exchange in
            let (app, other) = (try await exchange.installation.createApp(), try await exchange.installation.createApp("Grove"))
            let token = try await exchange.token(for: app)
            let ids = try await Self.createLinks(3, for: app, exchange)
            let foreign = try await Self.createLinks(1, for: other, exchange)[0]

            let answer = try await exchange.manage(
                .patch, "/api/v1/links?app=\(app.app.id)", token: token,
                ["links": JSON([ids[0], foreign, "pear", ids[2]]), "change": ["channel": "sms"]])

            #expect(answer.status == 200, "\(answer.body)")
            let outcomes = answer.object["links"]?.array?.compactMap(\.object) ?? []
            #expect(outcomes.map { $0["id"] } == [.string(ids[0]), .string(foreign), "pear", .string(ids[2])])
            #expect(outcomes.map { $0["changed"] } == [true, nil, nil, true])
            #expect(outcomes[1]["error"] == .string("There is no link \(foreign)."))
            let channels = try await exchange.manage(.get, "/api/v1/links?app=\(app.app.id)&sort=oldest", token: token)
                .object["links"]?.array?.map { $0.object?["channel"] }
            #expect(channels == ["sms", "mail", "sms"])
        }
    }

    @Test func tagsAreAddedAndRemovedAndLabelsCleared() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let ids = try await Self.createLinks(2, for: app, exchange)
            let target = "/api/v1/links?app=\(app.app.id)"
            for change: JSON in [
                ["add_tags": ["red", "ripe"], "channel": nil], ["add_tags": ["ripe", "late"], "remove_tags": ["red"]],
            ] {
                let answer = try await exchange.manage(.patch, target, token: token, ["links": JSON(ids), "change": change])
                #expect(answer.object["links"]?.array?.allSatisfy { $0.object?["changed"] == true } == true, "\(answer.body)")
            }
            let one = try await exchange.manage(.patch, "/api/v1/links/\(ids[1])", token: token, ["add_tags": ["one"]])
            #expect(one.object["tags"] == ["ripe", "late", "one"])
            let link = try await exchange.services.links.find(ids[0])
            #expect(link.labels == Labels(tags: ["ripe", "late"]))
            let wrong = try await exchange.manage(
                .patch, target, token: token, ["links": JSON(ids), "change": ["add_tags": ["a": 1], "campaign": "x"]])
            #expect(wrong.status == 400 && wrong.errorMessage == "add_tags must be an array of strings.")
            #expect(try await exchange.services.links.find(ids[0]).labels.campaign == nil)
        }
    }

    @Test func severalLinksAreDeleted() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let ids = try await Self.createLinks(2, for: app, exchange)
            let target = "/api/v1/links?app=\(app.app.id)"
            let body: JSON = ["links": JSON(ids), "delete": true]

            let deleted = try await exchange.manage(.patch, target, token: token, body)
            #expect(deleted.object["links"]?.array?.map { $0.object?["deleted"] } == [true, true], "\(deleted.body)")
            let again = try await exchange.manage(.patch, target, token: token, body)
            #expect(again.object["links"]?.array?.allSatisfy { $0.object?["error"] != nil } == true, "\(again.body)")
        }
    }

    @Test(
        arguments: [
            ["change": ["channel": "sms"]], ["links": [], "delete": true], ["links": [1], "delete": true],
            ["links": ["1", "1"], "delete": true], ["links": ["1"]], ["links": ["1"], "delete": true, "change": [:]],
            ["links": ["1"], "change": ["alias": "x"]], ["links": JSON((1...201).map(String.init)), "delete": true],
        ] as [JSON])
    func anUnclearChangeOfLinksIsRefused(body: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let answer = try await exchange.manage(.patch, "/api/v1/links?app=\(app.app.id)", token: token, body)
            #expect(answer.status == 400, "\(answer.body)")
        }
    }

    private static func createLinks(_ count: Int, for app: CreatedApp, _ exchange: Exchange) async throws -> [String] {
        let token = try await exchange.token(for: app)
        var ids: [String] = []
        for _ in 0..<count {
            let created = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: token, ["channel": "mail"])
            ids.append(try #require(created.object["id"]?.string))
        }
        return ids
    }
}
