import Linden
import LindenKernel
import LindenServices
import LindenTesting
import RoutePatterns
import SQLiteStorage
import Testing

/// The route that a link matches, as reported with the link and with the session.
@Suite struct RouteReportTests {
    @Test func aLinkIsReadWithItsRouteOnEachPlatform() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes(nil).live.key.branchKey
            let data: JSONObject = ["$deeplink_path": "user/a%20b?tab=likes", "$android_deeplink_path": "elsewhere"]
            let path = try await exchange.createLink(key, ["data": .object(data)])
            let read = try await exchange.get("/v1/url?url=https://go.example.com\(path)&branch_key=\(key)").object
            #expect(
                read["route"] == [
                    "ios": [
                        "id": "user", "pattern": "user/:id", "target": "Profile", "modal": true, "parameters": ["id": "a b"],
                        "merged": ["id": "a b", "tab": "likes"],
                    ],
                    "android": nil,
                ])
            #expect(read["data"]?.object?["$deeplink_path"] == data["$deeplink_path"])
        }
    }

    @Test func aLinkWithoutAPathOrOfAnAppWithoutRoutesHasNone() async throws {
        try await Exchange.run { exchange in
            let cases: [(routes: [Route], data: JSONObject)] = [(Exchange.routes, [:]), ([], ["$deeplink_path": "user/5"])]
            for (routes, data) in cases {
                let key = try await exchange.appWithRoutes("reject", routes: routes).live.key.branchKey
                let url = "https://go.example.com" + (try await exchange.createLink(key, ["data": .object(data)]))
                let read = try await exchange.get("/v1/url?url=\(url)&branch_key=\(key)").object
                #expect(read["route"] == nil)
                let session = try await exchange.install(key, ["universal_link_url": .string(url)])
                #expect(try session.data["+clicked_branch_link"] == true)
                #expect(try session.data["+route"] == nil)
                #expect(try session.data["+route_parameters"] == nil)
            }
        }
    }

    @Test(arguments: ["universal_link_url", "link_identifier", "fingerprint"])
    func aSessionGetsTheRouteOfTheLinkThatLedToIt(way: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes(nil).live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$deeplink_path": "user/5"]])
            var fields: JSONObject = [:]
            switch way {
            case "universal_link_url": fields[way] = .string("https://go.example.com" + path)
            default:
                let click = try #require(try await exchange.get(path).linkClickID)
                if way == "link_identifier" { fields[way] = .string(click) }
            }
            let session = try await exchange.install(key, fields)
            #expect(try session.data["+route"] == "Profile")
            #expect(try session.data["+route_parameters"] == ["id": "5", "tab": "posts"])
        }
    }

    @Test func whatIsAppendedToTheLinkDecidesAndRoutesCannotBeAppended() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes(nil).live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$deeplink_path": "user/5"]])
            for (query, route) in [
                ("?%24ios_deeplink_path=list", "List"), ("?%24ios_deeplink_path=nowhere&%2Broute=List", nil),
            ] as [(String, String?)] {
                let url = JSON.string("https://go.example.com" + path + query)
                let session = try await exchange.install(key, ["universal_link_url": url])
                #expect(try session.data["+route"] == route.map(JSON.string))
            }
        }
    }

    @Test func eachPhoneGetsItsOwnRouteAndAPageNone() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes(
                nil,
                routes: [
                    Route(id: "i", syntax: .roots, key: .iOSURL, pattern: "orchard://user/{id}", target: "UserViewController"),
                    Route(id: "a", syntax: .roots, key: .androidURL, pattern: "orchard://user/{id}", target: "UserActivity"),
                    Route(id: "w", syntax: .roots, key: .webURL, pattern: "*/{id}", target: "Page"),
                ]
            ).live.key.branchKey
            let url = JSON.string(
                "https://go.example.com" + (try await exchange.createLink(key, ["data": ["$deeplink_path": "user/5"]])))
            for (device, route) in [
                (["os": "iOS", "os_version": "17.5.1"], "UserViewController"),
                (["os": "Android", "os_version": 34], "UserActivity"),
                (["os": "Windows", "os_version": "11"], nil), (["sdk": "web2.86.5", "browser_fingerprint_id": "1"], nil),
            ] as [(JSONObject, String?)] {
                let body: JSONObject = ["branch_key": .string(key), "universal_link_url": url, "link_url": url]
                let answer = try await exchange.post("/v1/open", .object(body.merging(device)))
                #expect(try answer.data["+route"] == route.map(JSON.string), "\(device)")
            }
        }
    }

    @Test func aRetryGetsTheSameResponse() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes(nil).live.key.branchKey
            let url = JSON.string(
                "https://go.example.com" + (try await exchange.createLink(key, ["data": ["$deeplink_path": "user/5"]])))
            let call: JSONObject = ["universal_link_url": url, "branch_sdk_request_unique_id": "R-1"]
            let (first, retry) = (try await exchange.install(key, call), try await exchange.install(key, call))
            #expect(try first.data["+route"] == "Profile")
            #expect(first.body == retry.body)
        }
    }
}
