import Linden
import Logging
import ServiceLifecycle

/// Asks Apple about the ads behind tokens, once a second, until the server stops.
struct TokenExchangeService: Service {
    let exchanges: TokenExchanges
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { await round() }
        }
    }

    private func round() async {
        do {
            try await exchanges.round()
        } catch {
            logger.error("Ads could not be asked for; it will be tried again.", metadata: ["error": "\(error)"])
        }
    }
}
