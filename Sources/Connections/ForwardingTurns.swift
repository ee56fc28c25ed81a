import LindenKernel
import NIOCore
import Synchronization

/// The turns in which requests are forwarded from their connections to the tasks that answer them: of each site a few at a time.
///
/// Tasks begin in the order in which they were created, regardless of their client. Hundreds of a site's requests at the same time would delay all
/// others, and new connections, even if each is refused in a tenth of a millisecond. A turn ends when the task begins: one that then
/// waits, or streams, delays no other.
package final class ForwardingTurns: Sendable {
    struct Waiting: Sendable {
        /// Held, so that no other channel gets its identifier while it waits.
        let channel: any Channel
        let resume: @Sendable (any Channel) -> Void
    }

    private struct State {
        var turns = SiteTurns<Waiting>(atOnce: (ofSite: 16, ofAll: .max), mostWaiting: mostWaiting)
        /// The site of each channel whose request has its turn.
        var channels: [ObjectIdentifier: UInt64] = [:]
    }

    /// The most requests of a site, and of all sites, that wait. Their connections hold them.
    static let mostWaiting = (ofSite: 512, ofAll: 2048)

    private let state = Mutex(State())

    /// Begins the turn of a channel's request, or lets it wait for one.
    ///
    /// - Parameter resume: called once with the channel, on any thread, when a request that waits has its turn.
    func begin(
        _ channel: any Channel, of client: ClientNetwork, resume: @escaping @Sendable (any Channel) -> Void
    ) -> SiteTurns<Waiting>.Beginning {
        state.withLock { state in
            let beginning = state.turns.begin(client, orQueue: Waiting(channel: channel, resume: resume))
            if case .now = beginning { state.channels[ObjectIdentifier(channel)] = client.site }
            return beginning
        }
    }

    /// Begins the turn of a request that is whole, unless it must wait for one. The task that answers it ends the turn by ``end(of:)``, even if
    /// its connection has ended by then.
    package func beginNow(_ client: ClientNetwork) -> Bool { state.withLock { $0.turns.beginNow(client) } }

    package func end(of client: ClientNetwork) {
        let next = state.withLock { Self.end(client.site, in: &$0) }
        if let next { next.resume(next.channel) }
    }

    /// Ends the turn of a channel's request. Does nothing if it has none.
    func end(_ channel: any Channel) {
        let next = state.withLock { state -> Waiting? in
            guard let site = state.channels.removeValue(forKey: ObjectIdentifier(channel)) else { return nil }
            return Self.end(site, in: &state)
        }
        if let next { next.resume(next.channel) }
    }

    /// Ends a turn of a site. Returns the request that has its turn now.
    private static func end(_ site: UInt64, in state: inout State) -> Waiting? {
        guard let next = state.turns.end(site) else { return nil }
        state.channels[ObjectIdentifier(next.waiting.channel)] = next.site
        return next.waiting
    }
}
