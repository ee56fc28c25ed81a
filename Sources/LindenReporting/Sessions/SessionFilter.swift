import Linden
import LindenKernel

/// Restricts a list of sessions. A member that is nil restricts nothing.
package struct SessionFilter: Sendable {
    /// What a session began on, by its device's latest description.
    package enum Platform: String, Sendable, CaseIterable {
        case ios, android
        /// A browser with the Web SDK.
        case web
        case other
    }

    /// A text in the parameters that the app received. ASCII letters match in either case.
    package var text: String?
    package var outcome: AttributionDecision.Outcome?
    package var kind: Session.Kind?
    /// The link that the session is attributed to.
    package var link: Link.ID?
    package var platform: Platform?
    /// The channel of the session's link, or of the visit of it. ASCII letters match in either case.
    package var channel: String?
    package var started: Range<Timestamp>?

    package init() {}

    /// Throws `invalid` for a text that is too long to search for.
    package func check() throws {
        for (name, text) in [("search", text), ("channel", channel)] where (text?.utf8.count ?? 0) > Self.longestText {
            throw Failure.invalid("\(name) may have at most \(Self.longestText) bytes.")
        }
    }

    /// Returns the kind with a name. Throws `invalid` for an unknown one.
    package static func kind(named name: String) throws -> Session.Kind {
        guard let kind = Session.Kind.allCases.first(where: { $0.name == name }) else {
            throw Failure.invalid("kind must be one of \(kinds.joined(separator: ", ")), not \"\(name)\".")
        }
        return kind
    }

    /// The names of the kinds.
    package static let kinds = Session.Kind.allCases.map(\.name)

    /// Reads the id of a link. Throws `invalid` for any other text.
    package static func link(id: String) throws -> Link.ID {
        guard let number = Int64(id) else { throw Failure.invalid("link must be the id of a link, not \"\(id)\".") }
        return Link.ID(rawValue: number)
    }

    /// In bytes. The data of each session are compared with the text.
    private static let longestText = 512

    /// The ids of sessions that began in the filter's time.
    fileprivate var ids: Range<Int64> {
        started.map { IDGenerator.first(at: $0.lowerBound)..<IDGenerator.first(at: $0.upperBound) } ?? 0..<Int64.max
    }
}

package protocol SessionListReader {
    /// Returns the id of the last of the newest `count` sessions of a scope in a range of ids; nil if the range has fewer. Reads only an
    /// index.
    func lastSession(of scope: Scope, in ids: Range<Int64>, among count: Int) throws -> Int64?
    /// Returns the newest sessions of a scope in a range of ids that pass a filter. Its time is not compared.
    func sessions(of scope: Scope, in ids: Range<Int64>, matching filter: SessionFilter, limit: Int) throws -> [SessionSummary]
}

/// A page of a list of sessions, newest first.
package struct SessionPage: Sendable {
    package let sessions: [SessionSummary]
    /// The last session that was read, after which the next page begins; nil for the last page.
    package let next: Session.ID?
}

extension ExplanationService {
    /// Returns a page of an app's sessions, newest first. Fails with `invalid` for a filter whose text is too long.
    ///
    /// At most ``mostSessionsRead`` sessions are read for a page. If few of them pass the filter, the page is short or even empty, and the
    /// next one continues where it ended.
    ///
    /// - Parameter last: ``SessionPage/next`` of the page before; nil for the first page.
    package func list(
        _ filter: SessionFilter = SessionFilter(), of scope: Scope, after last: Session.ID? = nil, limit: Int
    ) async throws -> SessionPage {
        try filter.check()
        var found: [SessionSummary] = []
        var (last, rest) = (last, filter.ids)
        for _ in 0..<Self.mostPortions {
            if let last { rest = rest.clamped(to: 0..<max(last.rawValue, 0)) }
            // One more than the page holds, which is the next page's.
            let (ids, wanted) = (rest, limit + 1 - found.count)
            let portion = try await storage.analyze(scope) { reader -> (sessions: [SessionSummary], end: Int64?) in
                let end = try reader.lastSession(of: scope, in: ids, among: Self.portion)
                let read = end.map { ids.clamped(to: $0..<Int64.max) } ?? ids
                return (try reader.sessions(of: scope, in: read, matching: filter, limit: wanted), end)
            }
            found += portion.sessions
            guard found.count <= limit else {
                found.removeLast()
                return SessionPage(sessions: found, next: found.last?.id)
            }
            guard let end = portion.end else { return SessionPage(sessions: found, next: nil) }
            last = Session.ID(rawValue: end)
        }
        return SessionPage(sessions: found, next: last)
    }

    /// The most sessions that are read for a page.
    package static let mostSessionsRead = portion * mostPortions
    /// The number of sessions that one transaction reads, so that none takes long. The data of each may be compared with a text.
    private static let portion = 2000
    private static let mostPortions = 10
}
