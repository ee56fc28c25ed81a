import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Questions must not take a reader for long: a server has two of them for all apps.
@Suite struct QuestionLimitTests {
    private static let scope = Scope(app: App.ID(rawValue: 1), mode: .live)
    private static let endless: SQL = """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT COUNT(*) FROM numbers
        """

    @Test(.enabled(if: Engine.isSQLite)) func aQuestionThatTakesTooLongIsRefusedAndTheNextOneIsAnswered() async throws {
        try await Installation.withFolder { folder in
            let options = SQLiteOptions(analysts: 1, questionLimit: .milliseconds(50), creates: true)
            let storage = try SQLiteStorage(path: folder + "/linden.db", options: options)
            for _ in 1...2 {
                let failure = await #expect(throws: Failure.self) {
                    try await storage.analyze(Self.scope) { reader in
                        try (reader as! SQLTransaction).connection.first(Self.endless) { $0.integer(0) }
                    }
                }
                #expect(failure?.code == .invalid)
                #expect(failure?.message.contains("takes too long") == true)
            }
            #expect(try await storage.analyze(Self.scope) { try $0.eventNames(of: Self.scope) } == [])
            await storage.shutdown()
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func aQuestionHasFiveSecondsOnceTheServerBeginsToStop() async throws {
        try await Installation.withFolder { folder in
            let options = SQLiteOptions(analysts: 1, questionLimit: .seconds(600), creates: true)
            let storage = try SQLiteStorage(path: folder + "/linden.db", options: options)
            storage.hurryQuestions()
            let failure = await #expect(throws: Failure.self) {
                try await storage.analyze(Self.scope) { reader in
                    try (reader as! SQLTransaction).connection.first(Self.endless) { $0.integer(0) }
                }
            }
            #expect(failure?.code == .unavailable, "it may succeed later")
            await storage.shutdown()
        }
    }

    @Test func aQuestionHasTwentyFiltersAtMost() throws {
        var parameters = AnalyticsParameters()
        parameters.filters = Array(repeating: "channel=mail", count: 20)
        _ = try parameters.counts(of: Self.scope, now: Timestamp(milliseconds: 1_800_000_000_000))
        parameters.filters.append("channel=sms")
        let failure = #expect(throws: Failure.self) {
            try parameters.counts(of: Self.scope, now: Timestamp(milliseconds: 1_800_000_000_000))
        }
        #expect(failure?.message == "At most 20 filters are allowed.")
    }
}
