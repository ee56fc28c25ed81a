import LindenKernel
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
        var open = NetworkUse<UInt64, UInt64>()
        var inReserve = NetworkUse<UInt64, UInt64>()
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
        let client = client(address)
        let (admission, refused) = counts.withLock { counts -> (Admission, Int?) in
            let admission = admit(client, &counts)
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

    /// Returns the networks to count a connection by; nil for an exempt address.
    private func client(_ address: ClientAddress) -> ClientNetwork? {
        exempt.contains { $0.contains(address) } ? nil : ClientNetwork(address)
    }

    private func admit(_ client: ClientNetwork?, _ counts: inout Counts) -> Admission {
        let isFull = counts.all >= limits.connections
        guard counts.all < limits.connections + ConnectionLimits.reserve,
            counts.open.take(1, client?.address, client?.site, within: limits.shares)
        else { return .refused }
        if isFull, !counts.inReserve.take(1, client?.address, client?.site, within: ConnectionLimits.reserveShares) {
            counts.open.giveBack(1, client?.address, client?.site)
            return .refused
        }
        counts.all += 1
        return isFull ? .reserve : .admitted
    }

    /// Removes a closed connection from the counts.
    ///
    /// - Parameter admission: the result of ``enter(_:)``.
    func leave(_ address: ClientAddress, _ admission: Admission) {
        guard admission != .refused else { return }
        let client = client(address)
        counts.withLock { counts in
            counts.all -= 1
            counts.open.giveBack(1, client?.address, client?.site)
            if admission == .reserve { counts.inReserve.giveBack(1, client?.address, client?.site) }
        }
    }
}
