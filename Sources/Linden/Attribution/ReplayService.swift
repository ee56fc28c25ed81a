/// Decides stored sessions anew from the evidence that was kept with them, under the rules of today or others, and changes them if asked.
///
/// Session by session in the order in which they began, page by page: however many there are, only the changes are remembered. Pages are
/// read in views of their own, so nobody waits. To apply, the sessions of a page that change are written in one transaction, in which
/// they are decided once more from what is then true. Applying the same rules again changes nothing.
///
/// What has been given is not taken back lightly, and never given twice:
/// - Evidence stays what was known when the session began. A click that was another's then stays another's.
/// - A click goes to one device. Who began first has it: a session may take it from a later one, if that had it by likeness and is
///   decided anew too, and in the same transaction; what an id made certain, or what lies outside the replay, keeps its click.
/// - A click that a session loses is not open again for apps to come, and a one-time link stays used: somebody has seen what is behind
///   it. A one-time link that was used is given to no session that does not have it, not even to the one that used it.
/// - An opening by a URL was itself the click and was written when it came; it is neither made nor unmade.
/// - What followed from the old decision stays as it was: what the app was told, events and their credit, which browser is beside the app,
///   and who brought whom, with the rewards for it (`linden credits reverse` takes those back).
package struct ReplayService: Sendable {
    private static let page = 500
    private static let countedPage = 20_000

    private let storage: any Storage
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs

    package init(storage: any Storage, baseURL: BaseURL, publicIDs: PublicIDs) {
        self.storage = storage
        self.baseURL = baseURL
        self.publicIDs = publicIDs
    }

    /// Counts the sessions of a replay without deciding any, and how many of them cannot be decided for want of evidence.
    ///
    /// - Parameter onPage: called after each page with the figures so far.
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

    /// - Parameters:
    ///   - onChange: called for each session that is decided differently, once that is written if it is to be.
    ///   - onPage: called after each page with the figures so far and the time of its last session.
    package func run(
        _ replay: Replay, onChange: (ReplayChange) throws -> Void = { _ in },
        onPage: (ReplayFigures, Timestamp) -> Void = { _, _ in }
    ) async throws -> ReplayFigures {
        var figures = ReplayFigures()
        var state = ReplayState()
        var next = replay.firstID
        while true {
            let first = next
            let sessions = try await storage.read { reader in
                try reader.sessions(from: first, before: replay.endID, of: replay.scope, limit: Self.page)
            }
            guard let last = sessions.last?.id else { return figures }
            figures.sessions += sessions.count
            figures.withoutEvidence += sessions.count { $0.evidence == nil }
            let suspects = sessions.filter { state.mayChange($0, replay.rules) }.map(\.id)
            if !suspects.isEmpty {
                let (changes, after) = try await decide(suspects, through: last, replay, state)
                state = after
                figures.changed += changes.count
                for change in changes { try onChange(change) }
            }
            onPage(figures, last.time)
            guard sessions.count == Self.page else { return figures }
            next = Session.ID(rawValue: last.rawValue + 1)
        }
    }

    private func decide(_ suspects: [Session.ID], through last: Session.ID, _ replay: Replay, _ state: ReplayState) async throws
        -> ([ReplayChange], ReplayState)
    {
        if replay.isApplied {
            return try await storage.write { [baseURL, publicIDs] transaction in
                try state.deciding(suspects, through: last) { id, state in
                    let new = try transaction.claimedDecision(id, replay, state)
                    if let new { try transaction.apply(new, replay.rules, baseURL, publicIDs) }
                    return new
                }
            }
        }
        return try await storage.read { reader in
            try state.deciding(suspects, through: last) { try reader.newDecision($0, replay, $1) }
        }
    }
}
