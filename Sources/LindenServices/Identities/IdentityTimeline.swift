import Linden
import LindenKernel
import LindenLedger

/// What happened to one user of an app, newest first: sessions with the clicks that led to them, events, and changes of credits.
///
/// Events have no index by user. Those of ``eventWindow`` after the start of each of the newest sessions are read, until the next session.
package struct IdentityTimeline: Sendable {
    package struct Entry: Sendable {
        package enum What: Sendable {
            case session(Session.ID, Session.Kind, link: Link.ID?)
            /// The click that led to a session.
            case click(link: Link.ID?)
            /// - amount: the revenue as reported, with its currency; nil for none.
            case event(name: String, amount: String?)
            case credits(CreditRecord)
        }

        package let time: Timestamp
        package let what: What

        package init(time: Timestamp, what: What) {
            self.time = time
            self.what = what
        }
    }

    /// A session as the timeline shows it.
    package struct Visit: Sendable {
        package let id: Session.ID
        package let kind: Session.Kind
        package let link: Link.ID?
        package let click: Click.ID?

        package init(id: Session.ID, kind: Session.Kind, link: Link.ID?, click: Click.ID?) {
            self.id = id
            self.kind = kind
            self.link = link
            self.click = click
        }
    }

    package let entries: [Entry]

    /// - Parameter entries: newest first.
    package init(entries: [Entry]) {
        self.entries = entries
    }

    package static let mostEntries = 50
    package static let mostSessions = 20
    /// The time after the start of a session in which its events are looked for.
    package static let eventWindow: Duration = .seconds(1800)
    /// The most rows of the event log, of all users and apps, that are read for one session.
    package static let mostRowsPerSession = 1000
    static let mostCredits: Int64 = 50
}

package protocol IdentityTimelineReader {
    /// Returns an identity's newest sessions, newest first.
    func visits(of identity: Identity.ID, limit: Int) throws -> [IdentityTimeline.Visit]
    /// Returns an identity's events in a range of ids, newest first. Reads at most `most` rows of the log, from the beginning of the range.
    func events(of identity: Identity.ID, in ids: Range<Int64>, among most: Int) throws -> [IdentityTimeline.Entry]
}

extension IdentityTimeline {
    /// Reads the timeline of an identity.
    init(of identity: Identity, from reader: any DatabaseReader) throws {
        let visits = try reader.visits(of: identity.id, limit: Self.mostSessions)
        var found: [Entry] = []
        var end = Int64.max
        for visit in visits {
            found.append(Entry(time: visit.id.time, what: .session(visit.id, visit.kind, link: visit.link)))
            if let click = visit.click { found.append(Entry(time: click.time, what: .click(link: visit.link))) }
            let window = IDGenerator.first(at: visit.id.time + Self.eventWindow)
            found += try reader.events(
                of: identity.id, in: visit.id.rawValue..<max(visit.id.rawValue, min(window, end)), among: Self.mostRowsPerSession)
            end = visit.id.rawValue
        }
        let credits = try reader.creditHistory(CreditHistoryQuery(length: Self.mostCredits), of: identity.id)
        found += credits.map { Entry(time: $0.transaction.id.time, what: .credits($0)) }
        // Stable, so that a session comes before the click that led to it in the same millisecond.
        let sorted = found.enumerated().sorted {
            $0.element.time == $1.element.time ? $0.offset < $1.offset : $0.element.time > $1.element.time
        }
        entries = sorted.prefix(Self.mostEntries).map(\.element)
    }
}
