import CoreMetrics
import LindenKernel
import Logging
import NIOCore
import Synchronization

/// The open connections, which are limited in total, by address and by site. When there are too many, those that are unused make room, and those
/// of a site that has many more than the newcomer's.
final class ConnectionTable: Sendable {
    enum Admission: Sendable {
        case admitted
        /// Beyond the limit: only health checks are answered.
        case reserve
        /// Over a limit: the connection is closed at once.
        case refused
    }

    fileprivate struct State {
        /// The admitted connections and those in the reserve.
        var all = 0
        /// The connections in the reserve.
        var reserved = 0
        var open = NetworkUse<UInt64, UInt64>()
        var inReserve = NetworkUse<UInt64, UInt64>()
        /// The admitted connections by site, which may be closed for others. Those of exempt networks are not among them.
        var sites: [UInt64: [ObjectIdentifier: OpenConnection]] = [:]
        /// The connections that are being closed for others.
        var closing: Set<ObjectIdentifier> = []
        /// The time of the next search for unused connections by newcomers of a site of ``searchedSize`` or more, and that size.
        var nextSearch = NIODeadline.distantPast
        var searchedSize = 0
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
    private let metrics: ConnectionMetrics
    private let state = Mutex(State())

    /// A connection that has been unused for this time may be closed for others. A client sends its first request within it.
    private static let unusedTime: TimeAmount = .seconds(2)
    /// A site gives up connections, used or not, for a site that has less than this part of its number.
    private static let unfairPart = 8
    /// The time from a search for unused connections that found none to the next.
    private static let searchPause: TimeAmount = .milliseconds(100)

    /// - Parameter exempt: networks whose addresses stand for many visitors; loopback is always exempt.
    init(limits: ConnectionLimits, exempt: [Network], logger: Logger, metrics: ConnectionMetrics = ConnectionMetrics()) {
        self.limits = limits
        self.metrics = metrics
        self.exempt = exempt + ["127.0.0.0/8", "::1/128"].compactMap { Network($0) }
        self.logger = logger
    }

    /// Adds a new connection and decides on its admission. Each must be returned with ``leave(_:_:)``.
    func enter(_ connection: OpenConnection, at now: NIODeadline) -> Admission {
        let client = client(connection.address)
        let (admission, unused, refused) = state.withLock { state -> (Admission, [OpenConnection], Int?) in
            let unused = makeRoom(for: client, in: &state, at: now)
            let admission = admit(client, &state)
            if admission == .admitted, let client { state.add(connection, of: client.site) }
            return (admission, unused, admission == .admitted ? nil : state.refusedToLog())
        }
        if admission == .admitted { metrics.open.increment() } else { metrics.refused.increment() }
        for other in unused { other.close() }
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

    /// Whether as many connections as allowed are admitted and stay so.
    private func isFull(_ state: State) -> Bool { state.all - state.reserved - state.closing.count >= limits.connections }

    private func admit(_ client: ClientNetwork?, _ state: inout State) -> Admission {
        let isFull = isFull(state)
        // Health checks of the machine itself and of trusted proxies find room whatever others do.
        let reserve = ConnectionLimits.reserve - (client == nil ? 0 : ConnectionLimits.reserveOfExempt)
        guard !isFull || state.reserved < reserve, state.all < limits.connections + 2 * ConnectionLimits.reserve,
            state.open.take(1, client?.address, client?.site, within: limits.shares)
        else { return .refused }
        if isFull, !state.inReserve.take(1, client?.address, client?.site, within: ConnectionLimits.reserveShares) {
            state.open.giveBack(1, client?.address, client?.site)
            return .refused
        }
        state.all += 1
        if isFull { state.reserved += 1 }
        return isFull ? .reserve : .admitted
    }

    /// Chooses connections to close if the table is full: unused ones of sites with no fewer than the newcomer's or, if there are none, any of a
    /// site with many more.
    private func makeRoom(for client: ClientNetwork?, in state: inout State, at now: NIODeadline) -> [OpenConnection] {
        guard isFull(state) else { return [] }
        // Several at a time, since a search takes as long as hundreds of closings.
        let most = max(1, min(ConnectionLimits.reserve / 2, limits.connections / 128))
        let own = client.map { state.sites[$0.site]?.count ?? 0 } ?? 0
        var chosen: ArraySlice<(site: UInt64, connection: OpenConnection)> = []
        let size = State.size(own)
        if now >= state.nextSearch || size < state.searchedSize {
            chosen = state.unused(for: Self.unusedTime, ofSitesOf: size, at: now).prefix(most)
            if chosen.isEmpty { (state.nextSearch, state.searchedSize) = (now + Self.searchPause, size) }
        }
        // Loopback and trusted proxies have a part of the reserve.
        if chosen.isEmpty, client != nil { chosen = state.unfair(beside: Self.unfairPart * (own + 1)).prefix(most) }
        for (site, connection) in chosen {
            state.closing.insert(ObjectIdentifier(connection))
            state.remove(connection, of: site)
        }
        return chosen.map(\.connection)
    }

    /// Removes a closed connection.
    ///
    /// - Parameter admission: the result of ``enter(_:at:)``.
    func leave(_ connection: OpenConnection, _ admission: Admission) {
        guard admission != .refused else { return }
        if admission == .admitted { metrics.open.decrement() }
        let client = client(connection.address)
        state.withLock { state in
            state.all -= 1
            if admission == .reserve { state.reserved -= 1 }
            state.closing.remove(ObjectIdentifier(connection))
            state.open.giveBack(1, client?.address, client?.site)
            if let client { state.remove(connection, of: client.site) }
            if admission == .reserve { state.inReserve.giveBack(1, client?.address, client?.site) }
        }
    }
}

extension ConnectionTable.State {
    /// Returns the connections that have been unused for some time, those of the sites that have most first, then those that have been unused for
    /// longest. Sites within a power of two count as equal.
    ///
    /// - Parameter least: the size of the newcomer's site. Smaller sites keep their connections.
    fileprivate func unused(
        for time: TimeAmount, ofSitesOf least: Int, at now: NIODeadline
    ) -> [(site: UInt64, connection: OpenConnection)] {
        var found: [(site: UInt64, size: Int, since: NIODeadline, connection: OpenConnection)] = []
        for (site, connections) in sites {
            let size = Self.size(connections.count)
            guard size >= least else { continue }
            for connection in connections.values {
                guard let since = connection.unusedSince, now - since >= time else { continue }
                found.append((site, size, since, connection))
            }
        }
        found.sort { ($1.size, $0.since) < ($0.size, $1.since) }
        return found.map { ($0.site, $0.connection) }
    }

    fileprivate static func size(_ count: Int) -> Int { count.bitWidth - count.leadingZeroBitCount }

    /// Returns some connections of the site that has most, if it has at least so many, those between two requests first.
    fileprivate func unfair(beside least: Int) -> [(site: UInt64, connection: OpenConnection)] {
        guard let (site, connections) = sites.max(by: { $0.value.count < $1.value.count }), connections.count >= least else {
            return []
        }
        return connections.values.map { (since: $0.unusedSince ?? .distantFuture, connection: $0) }
            .sorted { $0.since < $1.since }
            .prefix(max(1, connections.count / 16))
            .map { (site, $0.connection) }
    }

    fileprivate mutating func add(_ connection: OpenConnection, of site: UInt64) {
        sites[site, default: [:]][ObjectIdentifier(connection)] = connection
    }

    fileprivate mutating func remove(_ connection: OpenConnection, of site: UInt64) {
        sites[site]?[ObjectIdentifier(connection)] = nil
        if sites[site]?.isEmpty == true { sites[site] = nil }
    }
}
