import Linden
import LindenKernel
import LindenServices
import Synchronization

/// The turns of event-stream listeners that are behind the broadcast: a few at a time read a page of the log, on background threads, so that
/// they do not delay SDK calls. Apps take turns. A listener that waits holds no thread.
final class CatchUpTurns: Sendable {
    private struct State {
        var free = CatchUpTurns.concurrentPages
        var waiting = FairQueue<CheckedContinuation<Void, Never>>()
    }

    /// The number of pages read at a time. Downloads and SDK calls share the storage's readers with them.
    private static let concurrentPages = 2

    private let state = Mutex(State())

    /// Waits for the app's turn, and does work in it.
    func perform<Value: Sendable>(of app: App.ID, _ work: @Sendable () async throws -> Value) async throws -> Value {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state -> Bool in
                guard state.free > 0 else {
                    state.waiting.append(continuation, of: UInt64(bitPattern: app.rawValue))
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { leave() }
        return try await withTaskExecutorPreference(BackgroundThreads.exports) { try await work() }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let next = state.waiting.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
