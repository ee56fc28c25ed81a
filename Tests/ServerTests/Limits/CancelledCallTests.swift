import HTTPTypes
import Linden
import LindenServices
import LindenTesting
import Testing

/// Calls that the server cancels because it stops.
@Suite struct CancelledCallTests {
    @Test func aQuestionIsAnsweredThatItCanBeAskedAgain() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.admin)
            let path = "/api/v1/analytics/counts?app=\(app.live.key.branchKey)&from=2027-01-14&to=2027-01-15"
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try await exchange.get(path, headers: headers).status == 200)
            let answer = try await cancelled { try await exchange.get(path, userAgent: nil, headers: headers) }
            #expect(answer.status == 503)
            #expect(answer.errorMessage?.contains("try again") == true)
        }
    }

    @Test func aPageOfTheDashboardSaysSoToo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().app.id
            let cookie = try #require(try await DashboardBrowser(exchange, as: .admin).cookie)
            let answer = try await cancelled {
                try await exchange.get("/dashboard/apps/\(app)/analytics", headers: [.cookie: cookie])
            }
            #expect(answer.status == 503)
            #expect(answer.body.contains("try again"))
        }
    }

    /// Returns the answer to a call whose task is cancelled before its first question.
    private func cancelled(_ call: @escaping @Sendable () async throws -> Exchange.Answer) async throws -> Exchange.Answer {
        let task = Task {
            try? await Task.sleep(for: .seconds(60))
            return try await call()
        }
        task.cancel()
        return try await task.value
    }
}
