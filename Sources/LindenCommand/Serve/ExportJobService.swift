import Linden
import Logging
import ServiceLifecycle

/// Does the exports that were ordered, until the server stops.
struct ExportJobService: Service {
    let exports: ExportService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { await round() }
        }
    }

    private func round() async {
        do {
            try await exports.runJobs()
        } catch is CancellationError {
        } catch {
            logger.error("An export failed; it will be tried again.", metadata: ["error": "\(error)"])
        }
    }
}
