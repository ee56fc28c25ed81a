import LindenKernel
import LindenServices
import Logging
import ServiceLifecycle

/// A service that runs a closure once a second until graceful shutdown.
struct RepeatingService: Service {
    /// The message that an error is logged with.
    let failure: Logger.Message
    let logger: Logger
    /// Whether this process has to do it: of several servers on a database, the leader does the work that is not a server's own.
    var isDue: @Sendable () -> Bool = { true }
    let round: @Sendable () async throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { await runRound() }
        }
    }

    private func runRound() async {
        guard isDue() else { return }
        do {
            try await CallOrigin.$current.withValue(.server) { try await round() }
        } catch is CancellationError {
        } catch let failure as Failure where failure.code == .unavailable {
            // The storage itself logs a full disk and refused writes once a minute; logging here would add a line per second.
        } catch {
            logger.error(failure, metadata: ["error": "\(error)"])
        }
    }
}
