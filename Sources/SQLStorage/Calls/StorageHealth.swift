import LindenKernel
import Logging
import Synchronization

/// Errors of a database's files or server, as reads and writes last met them. Each kind is logged at most once a minute.
package final class StorageHealth: Sendable {
    private struct State {
        var writeProblem: String?
        var isDamaged = false
        var unlogged: [String: Int] = [:]
        var loggedAt: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// The cause of the last write's failure if it was the disk, the file or the server; nil after a write that succeeded.
    package var writeProblem: String? { state.withLock(\.writeProblem) }

    /// Whether damage to the database was found since the start. A repair needs a stopped server, so it stays.
    package var isDamaged: Bool { state.withLock(\.isDamaged) }

    package func didFindDamage() {
        state.withLock { $0.isDamaged = true }
    }

    package func didWrite() {
        let problem = state.withLock { state in
            defer { state.writeProblem = nil }
            return state.writeProblem
        }
        if problem != nil { logger.notice("The database can be written again.") }
    }

    /// Records an error. Busy databases and faulty statements are ignored: they say nothing about the files.
    package func observe(_ error: any Error) {
        guard let error = error as? any DriverError, let failure = error.failure, !error.isBusy else { return }
        state.withLock { if error.isDamage { $0.isDamaged = true } else { $0.writeProblem = failure.message } }
        log(.error, failure.message, ["error": "\(error)"])
    }

    /// Logs a warning, at most once a minute.
    package func warn(_ message: String, _ metadata: Logger.Metadata = [:]) { log(.warning, message, metadata) }

    private func log(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let count = state.withLock { state -> Int? in
            state.unlogged[message, default: 0] += 1
            let now = ContinuousClock.now
            if let loggedAt = state.loggedAt[message], now - loggedAt < .seconds(60) { return nil }
            state.loggedAt[message] = now
            return state.unlogged.removeValue(forKey: message)
        }
        guard let count else { return }
        logger.log(level: level, "\(message)", metadata: metadata.merging(["count": "\(count)"]) { $1 })
    }
}
