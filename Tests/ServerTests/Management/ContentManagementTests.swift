import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The content of an app, over the management API.
@Suite struct ContentManagementTests {
    /// Views of three pieces of content, and a click of a link about one, in the app that it returns.
    private static func fill(_ exchange: Exchange) async throws -> CreatedApp {
        let app = try await exchange.installation.createApp()
        let key = app.live.key.branchKey
        for (identifier, views) in [("a", 1), ("b", 3), ("https://orchard.example.com/c?d=1", 2)] {
            for _ in 0..<views {
                try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": .string(identifier)]])
            }
        }
        _ = try await exchange.get(try await exchange.createLink(key, ["data": ["$canonical_identifier": "a"]]))
        try await ContentEvents.report(exchange, app.test.key.branchKey, "VIEW_ITEM", [["$canonical_identifier": "tested"]])
        return app
    }

    @Test func contentIsListedNewestFirstPageByPage() async throws {
        try await Exchange.run { exchange in
            let app = try await Self.fill(exchange)
            let token = try await exchange.token(.analyst, for: app)
            let target = "/api/v1/content?app=\(app.app.id)&limit=2"
            let pages = try await exchange.pages(target, token: token, of: "content", "canonical_identifier")
            #expect(pages == [["https://orchard.example.com/c?d=1", "b"], ["a"]])
            #expect(try await exchange.pages(target, token: token, of: "content", "views") == [["2", "3"], ["1"]])
        }
    }

    @Test func contentIsRankedByAMeasureOfDays() async throws {
        try await Exchange.run { exchange in
            let app = try await Self.fill(exchange)
            let token = try await exchange.token(.analyst, for: app)
            func ranked(_ query: String) async throws -> [[String]] {
                try await exchange.pages(
                    "/api/v1/content?app=\(app.app.id)&\(query)", token: token, of: "content", "canonical_identifier")
            }
            #expect(try await ranked("sort=views") == [["b", "https://orchard.example.com/c?d=1", "a"]])
            #expect(try await ranked("sort=views&limit=1&from=7d") == [["b"]])
            #expect(try await ranked("sort=clicks&from=today") == [["a"]])
            #expect(try await ranked("sort=clicks&to=2026-01-01") == [[]])
        }
    }

    @Test func aPieceHasItsTotalsAndItsData() async throws {
        try await Exchange.run { exchange in
            let app = try await Self.fill(exchange)
            let token = try await exchange.token(.analyst, for: app)
            let target = "/api/v1/content/object?app=\(app.app.id)&identifier="
            let piece = try await exchange.manage(.get, target + "https://orchard.example.com/c?d%3D1", token: token).object
            #expect(piece["views"] == 2 && piece["clicks"] == 0 && piece["title"] == .some(.null))
            #expect(piece["data"]?.object?["$canonical_identifier"] == "https://orchard.example.com/c?d=1")
            let earlier = try await exchange.manage(.get, target + "a&to=2026-01-01", token: token).object
            #expect(earlier["views"] == 0 && earlier["clicks"] == 0)
            // That of the test side is not shown for the live side.
            #expect(try await exchange.manage(.get, target + "tested", token: token).status == 404)
        }
    }

    private static let wrong = [
        ("content?sort=size", "sort must be one of newest, views, shares, clicks, purchases, revenue, not \"size\"."),
        ("content?from=7d", "from and to go with sort by a measure"),
        ("content?sort=views&cursor=1", "cursor goes with sort=newest"),
        ("content?sort=views&from=soon", "from must be a day such as 2027-01-31"),
        ("content?sort=views&from=2027-01-02&to=2027-01-01", "from 2027-01-02 is after to 2027-01-01."),
        ("content?limit=0", "limit must be a whole number from 1 to 1000."), ("content?search=x", "search is not a parameter"),
        ("content/object?from=7d", "identifier is missing"),
    ]

    @Test(arguments: wrong) func aWrongParameterIsNamed(call: String, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst, for: app)
            let answer = try await exchange.manage(.get, "/api/v1/\(call)&app=\(app.app.id)", token: token)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
        }
    }
}
