import Linden
import LindenKernel

/// Decides stored sessions again from the evidence stored with them, under the current rules or others, and applies the changes if
/// requested.
///
/// Sessions are processed in order of their start, page by page: memory grows only with the number of changes. Pages are read in separate
/// read transactions, so no writer waits. When applying, the sessions of a page that change are written in one transaction, in which they
/// are decided once more on its state. Applying the same rules again changes nothing.
///
/// Invariants:
/// - Evidence stays as it was when the session began. A click that was claimed by another device then stays claimed.
/// - A click belongs to one device: the session that began first keeps it. A session takes a click from a later one only if that one had it
///   by a probabilistic match and is decided again by the same replay, in the same transaction. Deterministic matches and sessions outside
///   the replay keep their clicks.
/// - A click that a session loses does not become claimable again, and a one-time link stays consumed: its content has been seen. A
///   consumed one-time link is attributed to no session that does not have it already, not even to the one that consumed it.
/// - A launch by a URL was itself the click and was logged when it came; it is neither created nor deleted.
/// - Consequences of the old decision stay: the data the app received, events and their credit, which browser is beside the app, and who
///   referred whom, with the rewards for it (`linden credits reverse` reverses those).
package struct ReplayService: Sendable {
    private static let page = 200
    private static let countedPage = 20_000

    private let storage: any ReportingStorage
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs

    package init(storage: any ReportingStorage, baseURL: BaseURL, publicIDs: PublicIDs) {
        self.storage = storage
        self.baseURL = baseURL
        self.publicIDs = publicIDs
    }

    /// Counts the sessions of a replay, and those that cannot be decided for lack of evidence, without deciding any.
    ///
    /// - Parameter onPage: called after each page with the counts so far.
    package func count(_ replay: Replay, onPage: (ReplayFigures) -> Void = { _ in }) async throws -> ReplayFigures {
        var figures = ReplayFigures()
        var next = replay.firstID
        while true {
            let first = next
            let page = try await storage.read {
                try $0.replayableSessions(from: first, before: replay.endID, of: replay.scope, limit: Self.countedPage)
            }
            guard let page else { return figures }
            figures.sessions += page.sessions
            figures.withoutEvidence += page.withoutEvidence
            onPage(figures)
            guard page.sessions == Self.countedPage else { return figures }
            next = Session.ID(rawValue: page.last.rawValue + 1)
        }
    }

    /// Runs the replay.
    ///
    /// - Parameters:
    ///   - onChange: called for each session that is decided differently; after the write if the replay is applied.
    ///   - onPage: called after each page with the counts so far and the time of its last session. An error that it throws ends the replay.
    package func run(
        _ replay: Replay, onChange: (ReplayChange) throws -> Void = { _ in },
        onPage: (ReplayFigures, Timestamp) throws -> Void = { _, _ in }
    ) async throws -> ReplayFigures {
        var figures = ReplayFigures()
        var state = ReplayState()
        var next = replay.firstID
        while true {
            let first = next
            let sessions = try await read(replay) { reader in
                try reader.sessions(from: first, before: replay.endID, of: replay.scope, limit: Self.page)
            }
            guard let last = sessions.last?.id else { return figures }
            figures.sessions += sessions.count
            figures.withoutEvidence += sessions.count { $0.evidence == nil }
            let affected = sessions.filter { state.mayChange($0, replay.rules) }.map(\.id)
            if !affected.isEmpty {
                let (changes, after) = try await decide(affected, through: last, replay, state)
                state = after
                figures.changed += changes.count
                for change in changes { try onChange(change) }
            }
            try onPage(figures, last.time)
            guard sessions.count == Self.page else { return figures }
            next = Session.ID(rawValue: last.rawValue + 1)
        }
    }

    /// Reads as a question about the app, so that visits and other calls do not wait. Only a command replays the sessions of all apps.
    private func read<Value: Sendable>(
        _ replay: Replay, _ body: @escaping @Sendable (any ReportingReader) throws -> Value
    ) async throws -> Value {
        guard let scope = replay.scope else { return try await storage.read(body) }
        return try await storage.analyze(scope, body)
    }

    private func decide(_ affected: [Session.ID], through last: Session.ID, _ replay: Replay, _ state: ReplayState) async throws
        -> ([ReplayChange], ReplayState)
    {
        if replay.isApplied {
            return try await storage.write { [baseURL, publicIDs] transaction in
                let applier = ReplayApplier(transaction: transaction, replay: replay, baseURL: baseURL, publicIDs: publicIDs)
                return try state.deciding(affected, through: last) { id, state in
                    let new = try applier.claimedDecision(id, state)
                    if let new { try applier.apply(new) }
                    return new
                }
            }
        }
        return try await read(replay) { reader in
            let decider = ReplayDecider(reader: reader, replay: replay)
            return try state.deciding(affected, through: last) { try decider.newDecision($0, $1) }
        }
    }
}
