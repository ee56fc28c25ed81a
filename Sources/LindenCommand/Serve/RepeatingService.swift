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
        } catch {
            logger.error(failure, metadata: ["error": "\(error)"])
        }
    }
}
