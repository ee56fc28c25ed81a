/// The turns in which large answers are made: one of an app, and a few in all. An answer may take tens of MB until it is written, and waits
/// several times for the database meanwhile.
package struct AnswerTurns<App: Hashable & Sendable>: Sendable {
    private let turns: Turns<App>
    private let allTurns: Turns<AllCallers>

    /// - Parameters:
    ///   - answers: what the answers are, such as lists.
    ///   - atOnce: the number that is made at a time.
    package init(of answers: String, atOnce: Int = 2) {
        let refusal = "Too many \(answers) are waiting; please try again."
        turns = Turns(mostWaiting: 64, refusal: refusal)
        allTurns = Turns(atOnce: atOnce, mostWaiting: 256, refusal: refusal)
    }

    /// Runs `work` in the app's turn. Fails with `unavailable` if too many wait.
    package func run<Value: Sendable>(of app: App, _ work: @Sendable () async throws -> Value) async throws -> Value {
        try await turns.run(app) { try await allTurns.run(work) }
    }

    /// Runs `work`, which reads a list, in the app's turn if the list may be longer than the pages of the dashboard: 100 rows.
    package func read<Value: Sendable>(
        upTo limit: Int, of app: App, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        limit > 100 ? try await run(of: app, work) : try await work()
    }
}
