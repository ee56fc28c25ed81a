/// A queue per key: some callers of a key run at a time, the others wait in the order in which they came. Those that hold a turn which all
/// callers share come first: others wait for it meanwhile.
package actor Turns<Key: Hashable & Sendable> {
    private struct Callers {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let atOnce: Int
    private let mostWaiting: Int
    private let refusal: String
    private var callers: [Key: Callers] = [:]

    /// - Parameters:
    ///   - atOnce: the number of callers of a key that run at a time.
    ///   - mostWaiting: the most callers of a key that wait.
    ///   - refusal: the message of the failure of further callers.
    package init(atOnce: Int = 1, mostWaiting: Int, refusal: String) {
        self.atOnce = atOnce
        self.mostWaiting = mostWaiting
        self.refusal = refusal
    }

    /// Runs `work` in the caller's turn. Fails with `unavailable` if too many wait, and with a `CancellationError` if the task was cancelled
    /// meanwhile, so that a stop does not wait for the work of all who wait.
    package nonisolated func run<Value: Sendable>(
        _ key: Key, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await enter(key, isFirst: AllCallers.holdsTurn)
        do {
            try Task.checkCancellation()
            let value = try await work()
            await leave(key)
            return value
        } catch {
            await leave(key)
            throw error
        }
    }

    private func enter(_ key: Key, isFirst: Bool) async throws {
        var ofKey = callers[key, default: Callers()]
        guard ofKey.running >= atOnce else {
            ofKey.running += 1
            callers[key] = ofKey
            return
        }
        guard ofKey.waiting.count < mostWaiting else {
            throw Failure.unavailable(refusal)
        }
        await withCheckedContinuation { callers[key]?.waiting.insert($0, at: isFirst ? 0 : ofKey.waiting.count) }
    }

    /// The number of callers of a key that wait.
    package func waiting(for key: Key) -> Int { callers[key]?.waiting.count ?? 0 }

    private func leave(_ key: Key) {
        guard var ofKey = callers[key] else { return }
        if ofKey.waiting.isEmpty {
            ofKey.running -= 1
            callers[key] = ofKey.running == 0 ? nil : ofKey
        } else {
            let next = ofKey.waiting.removeFirst()
            callers[key] = ofKey
            next.resume()
        }
    }
}

/// The one key of a queue that all callers share.
package enum AllCallers: Hashable, Sendable {
    case all

    /// Whether the task holds such a turn.
    @TaskLocal fileprivate static var holdsTurn = false
}

extension Turns<AllCallers> {
    /// Runs `work` in the caller's turn. Fails with `unavailable` if too many wait.
    package nonisolated func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await run(.all) { try await AllCallers.$holdsTurn.withValue(true) { try await work() } }
    }
}
