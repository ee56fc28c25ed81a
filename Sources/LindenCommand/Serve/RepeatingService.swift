import Linden
import Logging
import ServiceLifecycle

/// Does something once a second until the server stops.
struct RepeatingService: Service {
    /// What is logged before an error.
    let failure: Logger.Message
    let logger: Logger
    let round: @Sendable () async throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { await runRound() }
        }
    }

    private func runRound() async {
        do {
            try await round()
        } catch is CancellationError {
        } catch let failure as Failure where failure.code == .unavailable {
            // A full disk and refused writes are logged once a minute by the storage itself; this would add a line a second.
        } catch {
            logger.error(failure, metadata: ["error": "\(error)"])
        }
    }
}
