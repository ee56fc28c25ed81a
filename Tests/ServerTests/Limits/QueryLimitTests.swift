import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// Limits of analytics queries.
@Suite struct QueryLimitTests {
    @Test func questionsCountAgainstTheirTokenAndTheirAddress() async throws {
        try await Exchange.runLimited {
            $0[.query] = RateLimits.Allowed(address: Rate(perMinute: 3), secret: Rate(perMinute: 5))
        } _: { exchange, key, secret async throws in
            let tokens = exchange.services.tokens
            let (ann, ben) = (
                try await tokens.create(name: "ann", role: .analyst, app: nil).secret,
                try await tokens.create(name: "ben", role: .analyst, app: nil).secret
            )
            #expect(try await exchange.answered(4, key, token: ann, from: "203.0.113.7") == 3)
            #expect(try await exchange.answered(4, key, token: ann, from: "203.0.113.8") == 2)
            #expect(try await exchange.answered(4, key, token: ben, from: "203.0.113.9") == 3)
            let question: JSONObject = [
                "branch_key": .string(key), "branch_secret": .string(secret), "start_date": "2027-01-14", "end_date": "2027-01-15",
                "data_source": "eo_click", "aggregation": "total_count", "dimensions": ["name"],
            ]
            #expect(try await exchange.post("/v1/query/analytics", .object(question)).status == 200, "the secret's own share")
        }
    }

    @Test func everyDownloadOfAReportCountsAsAQuestion() async throws {
        try await Exchange.runLimited {
            $0[.query] = RateLimits.Allowed(address: Rate(perMinute: 3), secret: Rate(perMinute: 5))
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.directory.app(branchKey: key).scope.app
            let token = try await exchange.services.tokens.create(name: "ann", role: .analyst, app: nil).secret
            let headers: HTTPFields = [HTTPField.Name("Access-Token")!: token]
            let order = RouteAccess.aggregate.merging(["app_id": .string("\(app)")])
            let ordered = try await exchange.post("/v2/analytics", .object(order), headers: headers).object
            let job = try #require(ordered["job_id"]?.scalarText)
            let state = try await exchange.get("/v2/analytics/\(job)?app_id=\(app)", headers: headers).object
            let url = try #require(state["response_url"]?.string)
            let target = String(url.dropFirst("https://go.example.com".count))
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await exchange.get(target).status) }
            #expect(statuses == [200, 200, 200, 429])
        }
    }

    @Test func longQuestionsAboutOneAppDoNotHoldUpThoseAboutAnother() async throws {
        try await Installation.withFolder { folder in
            try await Exchange.run(path: folder + "/linden.db") { exchange in
                let orchard = try await exchange.installation.createApp("Orchard").live.key.scope
                let garden = try await exchange.installation.createApp("Garden").live.key.branchKey
                let token = try await exchange.services.tokens.create(name: "all", role: .analyst, app: nil).secret
                let (storage, question) = (exchange.installation.storage, LongQuestion())
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { try await storage.analyze(orchard) { _ in question.read() } } }
                    while question.running == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    #expect(try await exchange.answered(3, garden, token: token, from: "203.0.113.7") == 3)
                    #expect(question.running == 1)
                    question.end()
                    try await group.waitForAll()
                }
            }
        }
    }
}

/// A question that reads until the test ends it, for 10 seconds at most.
private final class LongQuestion: Sendable {
    private let state = Mutex((running: 0, isEnded: false))

    var running: Int { state.withLock { $0.running } }

    func read() {
        state.withLock { $0.running += 1 }
        for _ in 0..<10_000 where !state.withLock({ $0.isEnded }) { Thread.sleep(forTimeInterval: 0.001) }
        state.withLock { $0.running -= 1 }
    }

    func end() { state.withLock { $0.isEnded = true } }
}
