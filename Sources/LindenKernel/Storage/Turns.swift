/// A queue per key: some callers of a key run at a time, the others wait in the order in which they came.
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
        try await enter(key)
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

    private func enter(_ key: Key) async throws {
        var ofKey = callers[key, default: Callers()]
        guard ofKey.running >= atOnce else {
            ofKey.running += 1
            callers[key] = ofKey
            return
        }
        guard ofKey.waiting.count < mostWaiting else {
            throw Failure.unavailable(refusal)
        }
        await withCheckedContinuation { callers[key]?.waiting.append($0) }
    }

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
package enum AllCallers: Hashable, Sendable { case all }

extension Turns<AllCallers> {
    /// Runs `work` in the caller's turn. Fails with `unavailable` if too many wait.
    package nonisolated func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await run(.all, work)
    }
}
