import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Limits of what one request stores.
@Suite struct StoredBytesLimitTests {
    @Test func everyLinkOfABulkRequestCounts() async throws {
        try await Exchange.runLimited {
            $0[.createLink].address = Rate(perMinute: 100)
        } _: { exchange, key, _ async throws in
            let links = JSON.array(Array(repeating: .object(["channel": "sms"]), count: 60))
            #expect(try await exchange.post("/v1/url/bulk/\(key)", links).status == 200)
            #expect(try await exchange.post("/v1/url/bulk/\(key)", links).status == 429)
            #expect(try await exchange.created(50, key, from: "203.0.113.7") == 40)
        }
    }

    @Test func storedBytesHaveABudgetBesideTheCount() async throws {
        try await Exchange.runLimited {
            $0[.store] = RateLimits.Allowed(address: Rate(perHour: 100_000), key: Rate(perHour: 250_000))
        } _: { exchange, key, secret async throws in
            func stored(from address: String, _ extra: JSONObject = [:]) async throws -> Int {
                var count = 0
                for _ in 0..<10 {
                    let link: JSONObject = [
                        "branch_key": .string(key), "data": ["text": .string(String(repeating: "x", count: 30_000))],
                    ]
                    count += try await exchange.post("/v1/url", .object(link.merging(extra)), from: address).status == 200 ? 1 : 0
                }
                return count
            }
            #expect(try await stored(from: "203.0.113.7") == 3)
            #expect(try await stored(from: "198.51.100.1") == 3)
            #expect(try await stored(from: "192.0.2.1") == 3, "the last two of the key's, and one of its reserve")
            #expect(try await stored(from: "198.51.100.3", ["branch_secret": .string(secret)]) == 10)
        }
    }

    /// A customer with many tokens, or accounts of the dashboard, could fill the disk.
    @Test func whatOperatorsStoreCountsForTheirApp() async throws {
        try await Exchange.runLimited {
            $0[.store].secret = Rate(perHour: 200_000)
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.apps.scope(of: key).app
            let other = try await exchange.installation.createApp()
            let text = String(repeating: "x", count: 30_000)
            func created(_ key: String) async throws -> Int {
                var count = 0
                for _ in 0..<4 {
                    let answer = try await exchange.manage(
                        .post, "/api/v1/links?app=\(key)", token: exchange.token(.editor), ["data": ["text": .string(text)]])
                    #expect([200, 429].contains(answer.status), "\(answer)")
                    count += answer.status == 200 ? 1 : 0
                }
                return count
            }
            #expect(try await created(key) == 3, "each with a token of its own")
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let form = ["$og_description": text, "channel": "mail"]
            #expect(try await browser.submit("/dashboard/apps/\(app)/links", form).status == 429)
            #expect(try await created(other.live.key.branchKey) == 3)
            #expect(try await exchange.manage(.get, "/api/v1/links?app=\(key)", token: exchange.token(.editor)).status == 200)
        }
    }

    /// The body of such a call has a hundred bytes.
    @Test func theDataOfATemplateCountsForEachLink() async throws {
        try await Exchange.runLimited {
            $0[.store].secret = Rate(perHour: 200_000)
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token(.editor)
            let data: JSON = ["text": .string(String(repeating: "x", count: 30_000))]
            let path = "/api/v1/links/templates?app=\(key)"
            let saved = try await exchange.manage(.post, path, token: token, ["name": "pears", "data": data])
            #expect(saved.status == 200, "\(saved.body)")
            var statuses: [Int] = []
            for _ in 1...8 {
                statuses.append(
                    try await exchange.manage(.post, "/api/v1/links?app=\(key)", token: token, ["template": "pears"]).status)
            }
            #expect(statuses.first == 200 && statuses.last == 429, "\(statuses)")
        }
    }

    @Test func whatALinkSaysItselfCountsOnceWithATemplateToo() async throws {
        try await Exchange.runLimited {
            $0[.store].secret = Rate(perHour: 200_000)
        } _: { exchange, key, _ async throws in
            let other = try await exchange.installation.createApp().live.key.branchKey
            let token = try await exchange.token(.editor)
            let link: JSONObject = ["data": ["text": .string(String(repeating: "x", count: 30_000))]]
            func created(_ key: String, _ more: JSONObject) async throws -> Int {
                let path = "/api/v1/links?app=\(key)"
                var count = 0
                for _ in 0..<8 {
                    let answer = try await exchange.manage(.post, path, token: token, .object(link.merging(more)))
                    count += answer.status == 200 ? 1 : 0
                }
                return count
            }
            for key in [key, other] {
                let template: JSON = ["name": "pears", "data": ["text": "pear"], "channel": "mail"]
                #expect(
                    try await exchange.manage(.post, "/api/v1/links/templates?app=\(key)", token: token, template).status == 200)
            }
            #expect(try await created(key, [:]) == 3)
            #expect(try await created(other, ["template": "pears"]) == 3)
        }
    }

    /// A visit to the address of a click stores the query of that click again.
    @Test func theQueryOfAnEarlierClickCountsAsStoredBytes() async throws {
        try await Exchange.runLimited {
            $0[.store].address = Rate(perHour: 40_000)
        } _: { exchange, key, _ async throws in
            let link = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(link + "?note=" + String(repeating: "x", count: 10_000)).linkClickID)
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await exchange.get("/c/\(click)", headers: [.accept: "text/html"]).status) }
            #expect(statuses.map { $0 < 400 } == [true, true, false, false, false], "\(statuses)")
            #expect(statuses.last == 429)
            let short = try #require(try await exchange.get(link + "?note=x").linkClickID)
            #expect(try await exchange.get("/c/\(short)").status < 400)
        }
    }

    /// A stranger with many networks could fill the disk by queries appended to a link.
    @Test func longQueriesBeyondAnAppsBudgetAreNotRecordedAndNothingElseIsRefused() async throws {
        try await Exchange.runLimited {
            $0[.store] = RateLimits.Allowed(address: Rate(perHour: 20_000), key: Rate(perHour: 40_000))
        } _: { exchange, key, _ async throws in
            let path = try await exchange.createLink(key)
            let (short, long) = ("fruit=pear", "note=" + String(repeating: "x", count: 9000))
            for network in ["203.0.113", "198.51.100", "192.0.2"] {
                for number in 1...3 {
                    #expect(try await exchange.get(path + "?" + long, from: "\(network).\(number)").status < 400)
                }
            }
            #expect(try await exchange.get(path + "?" + short, from: "192.0.2.9").status < 400)
            let link = try await exchange.services.links.find("https://go.example.com" + path)
            let clicks = try await exchange.installation.storage.read {
                try $0.clicks(of: link.id, after: 0, through: .max, limit: 20).clicks
            }
            let isRecorded = clicks.map { $0.query != nil }
            #expect(isRecorded == [true, true, false, true, true, false, false, false, false, true], "half for each network")
            let counted = exchange.services.refusals.totals
            #expect(counted[.longQuery(.keyAndSite)] == 3 && counted[.longQuery(.key)] == 2, "\(counted)")
            #expect(try await exchange.created(3, key, from: "203.0.113.7") == 3)
            #expect(try await exchange.install(key).status == 200)
        }
    }

    @Test func newContentOfEventsCountsAsStoredBytes() async throws {
        try await Exchange.runLimited {
            $0[.store].address = Rate(perHour: 100_000)
        } _: { exchange, key, _ async throws in
            /// Returns how many of ten events with a hundred small pieces of content each are accepted.
            func accepted(from address: String, _ identifier: (Int, Int) -> String) async throws -> Int {
                var count = 0
                for event in 0..<10 {
                    let items = (0..<100).map { JSON.object(["$canonical_identifier": .string(identifier(event, $0))]) }
                    let body: JSONObject = [
                        "branch_key": .string(key), "name": "VIEW_ITEMS", "content_items": .array(items),
                    ]
                    let answer = try await exchange.post("/v2/event/standard", .object(body), from: address)
                    count += answer.status == 200 ? 1 : 0
                }
                return count
            }
            // The bodies alone have 4 KB each.
            let withNewContent = try await accepted(from: "203.0.113.7") { event, item in "\(event).\(item)" }
            #expect((1...4).contains(withNewContent))
            let withKnownContent = try await accepted(from: "198.51.100.1") { _, item in "0.\(item)" }
            #expect(withKnownContent == 10)
        }
    }
}
