import Foundation
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

#if os(Linux)
    @Suite struct AnalystPriorityTests {
        @Test func questionsHaveALowerPriorityThanSDKCalls() async throws {
            try await Installation.withFolder { folder in
                let storage = try SQLiteStorage(path: folder + "/linden.db", options: SQLiteOptions(creates: true))
                let scope = Scope(app: App.ID(rawValue: 1), mode: .live)
                let ofCalls = try await storage.read { _ in Self.niceness() }
                let ofQuestions = try await storage.analyze(scope) { _ in Self.niceness() }
                #expect(ofQuestions == max(ofCalls, 10))
                await storage.shutdown()
            }
        }

        /// Returns the nice value of the calling thread.
        private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    }
#endif
