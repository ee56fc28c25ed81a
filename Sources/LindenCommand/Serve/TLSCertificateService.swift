import Connections
import Foundation
import LindenKernel
import LindenServices
import Logging
import ServiceLifecycle

/// A service that reads the certificate again when its files change, and warns before it expires.
struct TLSCertificateService: Service {
    let certificate: TLSCertificate
    let settings: TLSSettings
    let clock: WallClock
    let logger: Logger

    /// The time before the end of a certificate from which it is warned of. Clients of ACME renew a month before.
    static let warnedDays = 14

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isDue = Timestamp(milliseconds: 0)
            repeat {
                refresh()
                let now = clock.now()
                guard now >= isDue else { continue }
                isDue = now + .seconds(86400)
                warn(at: now)
            } while (try? await Task.sleep(for: .seconds(1))) != nil
        }
    }

    private func refresh() {
        do {
            guard try certificate.refresh() else { return }
            logger.info("The TLS certificate was read again.", metadata: ["expires_at": "\(expiry.iso8601)"])
        } catch {
            logger.warning(
                "The new TLS certificate cannot be used; the old one stays in use.",
                metadata: ["reason": "\(settings.explained(error))"])
        }
    }

    private func warn(at now: Timestamp) {
        let days = (expiry.milliseconds - now.milliseconds) / 86_400_000
        guard days < Self.warnedDays else { return }
        logger.warning(
            days < 0 ? "The TLS certificate has expired." : "The TLS certificate expires soon.",
            metadata: ["expires_at": "\(expiry.iso8601)", "certificate": "\(settings.certificate)"])
    }

    private var expiry: Timestamp { Timestamp(milliseconds: Int64(certificate.expiresAt.timeIntervalSince1970 * 1000)) }
}
