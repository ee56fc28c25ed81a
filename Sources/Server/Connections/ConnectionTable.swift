import Linden
import Logging
import Synchronization

/// The number of open connections, in total, by address and by site.
final class ConnectionTable: Sendable {
    enum Admission: Sendable {
        case admitted
        /// Beyond the limit: only health checks are answered.
        case reserve
        /// Over a limit: the connection is closed at once.
        case refused
    }

    private struct Counts {
        var all = 0
        var byNetwork: [UInt64: Int] = [:]
        /// By /24 of IPv4 and /48 of IPv6.
        var bySite: [UInt64: Int] = [:]
        /// Connections in the reserve, by network.
        var inReserve: [UInt64: Int] = [:]
        var refusedSinceLog = 0
        var loggedAt: ContinuousClock.Instant?

        /// Counts a refusal. Returns the number of refusals since the last report; nil if that was less than a minute ago.
        mutating func refusedToLog() -> Int? {
            refusedSinceLog += 1
            let now = ContinuousClock.now
            if let loggedAt, now - loggedAt < .seconds(60) { return nil }
            loggedAt = now
            defer { refusedSinceLog = 0 }
            return refusedSinceLog
        }
    }

    private let limits: ConnectionLimits
    private let exempt: [Network]
    private let logger: Logger
    private let counts = Mutex(Counts())

    /// - Parameter exempt: networks whose addresses stand for many visitors; loopback is always exempt.
    init(limits: ConnectionLimits, exempt: [Network], logger: Logger) {
        self.limits = limits
        self.exempt = exempt + ["127.0.0.0/8", "::1/128"].compactMap { Network($0) }
        self.logger = logger
    }

    /// Counts a new connection and decides on its admission. Each admission must be returned with ``leave(_:_:)``.
    func enter(_ address: ClientAddress) -> Admission {
        let (network, site) = (address.networkNumber, address.siteNumber)
        let isExempt = exempt.contains { $0.contains(address) }
        let (admission, refused) = counts.withLock { counts -> (Admission, Int?) in
            let ofAddress = counts.byNetwork[network, default: 0]
            let ofSite = counts.bySite[site, default: 0]
            let isTooMany =
                !isExempt && (ofAddress >= limits.connectionsPerAddress || ofSite >= limits.connectionsPerSite)
            let reserved = counts.inReserve[network, default: 0]
            let isReserveFull =
                counts.all >= limits.connections + ConnectionLimits.reserve
                || !isExempt && reserved >= ConnectionLimits.reservePerAddress
            let admission: Admission =
                isTooMany ? .refused : counts.all < limits.connections ? .admitted : isReserveFull ? .refused : .reserve
            if admission != .refused {
                counts.all += 1
                counts.byNetwork[network] = ofAddress + 1
                counts.bySite[site] = ofSite + 1
            }
            if admission == .reserve { counts.inReserve[network] = reserved + 1 }
            return (admission, admission == .admitted ? nil : counts.refusedToLog())
        }
        if let refused {
            logger.warning(
                "Connections were refused: too many are open.",
                metadata: [
                    "refused": "\(refused)", "max_connections": "\(limits.connections)",
                    "max_connections_per_address": "\(limits.connectionsPerAddress)",
                ])
        }
        return admission
    }

    /// Removes a closed connection from the counts.
    ///
    /// - Parameter admission: the result of ``enter(_:)``.
    func leave(_ address: ClientAddress, _ admission: Admission) {
        guard admission != .refused else { return }
        let (network, site) = (address.networkNumber, address.siteNumber)
        counts.withLock { counts in
            counts.all -= 1
            counts.bySite[site] = counts.bySite[site].flatMap { $0 > 1 ? $0 - 1 : nil }
            counts.byNetwork[network] = counts.byNetwork[network].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard admission == .reserve else { return }
            counts.inReserve[network] = counts.inReserve[network].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}
