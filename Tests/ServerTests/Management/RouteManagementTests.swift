import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct RouteManagementTests {
    @Test func aRouteIsAddedListedSwitchedOffAndRemoved() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            let target = "/api/v1/routes?app=\(app.app.id)"
            let added = try await exchange.manage(
                .post, target, token: admin,
                [
                    "syntax": "waapp", "pattern": "pears/:id", "target": "Pear", "id": "pear page", "modal": true,
                    "defaults": ["tab": "photos"],
                ])
            #expect(added.status == 200)
            let route: JSON = [
                "id": "pear page", "syntax": "waapp", "key": nil, "pattern": "pears/:id", "target": "Pear", "modal": true,
                "enabled": true, "defaults": ["tab": "photos"],
            ]
            #expect(added.json == ["routes": [route]])
            let first = try await exchange.manage(
                .post, target, token: admin,
                [
                    "syntax": "roots", "key": "al:ios:url", "pattern": "orchard://*/user/{id}", "target": "User",
                    "before": "pear page",
                ])
            #expect(first.status == 200)
            #expect(try await ids(exchange, target, analyst) == ["2", "pear page"])

            let path = "/api/v1/routes/pear%20page?app=\(app.app.id)"
            let changed = try await exchange.manage(.patch, path, token: admin, ["enabled": false])
            #expect(changed.object["enabled"] == false)
            #expect(changed.object["target"] == "Pear")
            #expect(try await exchange.manage(.delete, path, token: admin).json == ["id": "pear page", "removed": true])
            #expect(try await exchange.manage(.delete, path, token: admin).status == 404)
            #expect(try await ids(exchange, target, analyst) == ["2"])
        }
    }

    @Test func aURLIsTriedWithTheRoutesOfAnApp() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            _ = try await exchange.manage(
                .post, "/api/v1/routes?app=\(app.app.id)", token: admin,
                ["syntax": "waapp", "pattern": "pears/:id", "target": "Pear", "defaults": ["tab": "photos"]])
            let trial = "/api/v1/routes/match?app=\(app.test.key.branchKey)&url=orchard://"
            let match = try await exchange.manage(.get, trial + "pears/7%3Fsize=2", token: analyst).object
            #expect(match["matched"] == true && match["target"] == "Pear")
            #expect(match["parameters"] == ["id": "7"])
            #expect(match["merged"] == ["tab": "photos", "size": "2", "id": "7"])
            let none = try await exchange.manage(.get, trial + "apples/7&platform=android", token: analyst)
            #expect(none.json == ["url": "orchard://apples/7", "platform": "android", "matched": false])
            let wrong = try await exchange.manage(.get, trial + "apples/7&platform=symbian", token: analyst)
            #expect(wrong.status == 400 && wrong.body.contains("platform must be one of ios, android, desktop"))
        }
    }

    @Test func aRegistrationStringAddsARouteForEachScreenOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/routes?app=\(app.test.key.branchKey)"
            let body: JSON = ["syntax": "waapp", "pattern": "list{List}/:id{Detail}!"]
            let added = try await exchange.manage(.post, target, token: token, body)
            let screens = added.object["routes"]?.array?.compactMap { $0.object?["target"]?.string }
            #expect(screens == ["List", "Detail"])
            #expect(try await exchange.manage(.post, target, token: token, body).object["routes"] == [])
            #expect(try await ids(exchange, "/api/v1/routes?app=\(app.app.id)", token).count == 2)
        }
    }

    @Test func routesOfAnotherAppAreNotReached() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            let meadow = try await exchange.installation.createApp("Meadow")
            let (own, other) = (try await exchange.token(for: orchard), try await exchange.token(for: meadow))
            let body: JSON = ["syntax": "waapp", "pattern": "pears/:id", "target": "Pear", "id": "pear"]
            let target = "/api/v1/routes?app=\(orchard.app.id)"
            #expect(try await exchange.manage(.post, target, token: own, body).status == 200)
            let path = "/api/v1/routes/pear?app=\(orchard.app.id)"
            let calls: [(HTTPRequest.Method, String, JSON?)] = [
                (.get, target, nil), (.post, target, body), (.patch, path, ["enabled": false]), (.delete, path, nil),
            ]
            for (method, target, body) in calls {
                #expect(try await exchange.manage(method, target, token: other, body).status == 403)
            }
            let mine = "/api/v1/routes/pear?app=\(meadow.app.id)"
            #expect(try await exchange.manage(.delete, mine, token: other).status == 404)
            #expect(try await ids(exchange, target, own) == ["pear"])
        }
    }

    private static let wrong: [(JSON, Int, String)] = [
        ([:], 400, "syntax is missing"), (["syntax": "regex"], 400, "syntax must be one of roots, waapp"),
        (["syntax": "waapp"], 400, "pattern is missing"), (["syntax": "roots", "pattern": "x://y"], 400, "target must be given"),
        (["syntax": "waapp", "pattern": "list", "modal": true], 400, "modal needs target"),
        (["syntax": "waapp", "pattern": "list"], 400, "names no class"),
        (["syntax": "waapp", "pattern": "x", "target": "X", "modal": "yes"], 400, "modal must be true or false"),
        (["syntax": "waapp", "pattern": "x", "target": "X", "defaults": ["a": 5]], 400, "defaults must hold strings"),
        (["syntax": "waapp", "pattern": "x", "target": "X", "defaults": 5], 400, "defaults must be an object"),
        (["syntax": "waapp", "pattern": "x", "target": "X", "color": "red"], 400, "color is not a member of a route"),
        (["syntax": "waapp", "pattern": "x", "target": "X", "before": "none"], 404, "The app has no route 'none'"),
    ]

    @Test(arguments: wrong)
    func badInputIsNamedAndAddsNothing(body: JSON, status: Int, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/routes?app=\(app.app.id)"
            let answer = try await exchange.manage(.post, target, token: token, body)
            #expect(answer.status == status)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await ids(exchange, target, token) == [])
        }
    }

    private func ids(_ exchange: Exchange, _ target: String, _ token: String) async throws -> [String] {
        let answer = try await exchange.manage(.get, target, token: token)
        return (answer.object["routes"]?.array ?? []).compactMap { $0.object?["id"]?.string }
    }
}
