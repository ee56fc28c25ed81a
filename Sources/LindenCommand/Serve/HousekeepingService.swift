import Linden
import Logging
import ServiceLifecycle

/// Does the housekeeping once a second until the server stops.
struct HousekeepingService: Service {
    let housekeeping: Housekeeping
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { await round() }
        }
    }

    private func round() async {
        do {
            try await housekeeping.round()
        } catch {
            logger.error("Housekeeping failed; it will be tried again.", metadata: ["error": "\(error)"])
        }
    }
}
