import Linden
import LindenKernel
import LindenReporting

/// The traits of a data subject's clicks in other users' sessions, which were compared with these clicks.
extension IdentityDataService {
    /// Erases the traits while the sessions are read, from the earliest click on: an earlier session was compared with none.
    func eraseComparisons(of data: PersonalData) async throws {
        let (clicks, scope) = (data.clicks, data.scope)
        guard let first = clicks.ids.first else { return }
        var last = IDGenerator.first(at: first.time - Self.clockDifference)
        while true {
            try Task.checkCancellation()
            let page = try await storage.analyze(scope) { [last] in
                try $0.sessions(naming: { clicks.contains($0) }, in: scope, after: last, limit: Self.sessionsPerRead)
            }
            // Its own are deleted later.
            try await forEachBatch(page.sessions.filter { !data.sessions.contains($0) }, of: 8) { transaction, batch in
                for id in batch {
                    guard let session = try transaction.session(id) else { continue }
                    try transaction.replaceExplanation(
                        of: id, by: session.explanation.withoutSignals { clicks.contains($0) },
                        session.evidence?.unlessCompared { clicks.contains($0) })
                }
            }
            guard let id = page.last else { return }
            last = id
        }
    }

    /// The texts of a session may have 24 KB.
    private static let sessionsPerRead = 1000
    /// A session may be of another process, whose clock is behind.
    private static let clockDifference: Duration = .seconds(60)
}

extension Evidence {
    /// Nil if it has the traits of an erased click. Without them it would be decided differently; without evidence a session keeps
    /// its attribution.
    fileprivate func unlessCompared(_ isErased: (Click.ID) -> Bool) -> Evidence? {
        fingerprintSignals?.clicks.contains { isErased($0.click) } == true ? nil : self
    }
}
