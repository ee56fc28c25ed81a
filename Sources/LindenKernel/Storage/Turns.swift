/// A queue per key: one caller of a key runs at a time, the others wait in the order in which they came.
package actor Turns<Key: Hashable & Sendable> {
    private let mostWaiting: Int
    private let refusal: String
    /// The callers that wait, by the keys of those that run.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameters:
    ///   - mostWaiting: the most callers of a key that wait.
    ///   - refusal: the message of the failure of further callers.
    package init(mostWaiting: Int, refusal: String) {
        self.mostWaiting = mostWaiting
        self.refusal = refusal
    }

    /// Runs `work` once the earlier callers of the key have finished. Fails with `unavailable` if too many wait.
    package nonisolated func run<Value: Sendable>(
        _ key: Key, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await enter(key)
        do {
            let value = try await work()
            await leave(key)
            return value
        } catch {
            await leave(key)
            throw error
        }
    }

    private func enter(_ key: Key) async throws {
        guard let queue = waiting[key] else {
            waiting[key] = []
            return
        }
        guard queue.count < mostWaiting else {
            throw Failure.unavailable(refusal)
        }
        await withCheckedContinuation { waiting[key]?.append($0) }
    }

    private func leave(_ key: Key) {
        guard var queue = waiting[key], !queue.isEmpty else {
            waiting[key] = nil
            return
        }
        let next = queue.removeFirst()
        waiting[key] = queue
        next.resume()
    }
}

/// The one key of a queue that all callers share.
package enum AllCallers: Hashable, Sendable { case all }

extension Turns<AllCallers> {
    /// Runs `work` once all earlier callers have finished. Fails with `unavailable` if too many wait.
    package nonisolated func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await run(.all, work)
    }
}
