import Linden
import LindenKernel
import LindenServices

extension SQLTransaction {
    package func visits(of identity: Identity.ID, limit: Int) throws -> [IdentityTimeline.Visit] {
        try connection.query(
            """
            SELECT id, kind, link_id, click_id FROM sessions WHERE identity_id = \(identity) ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            IdentityTimeline.Visit(
                id: row.id(0), kind: Session.Kind(rawValue: row.integer(1)) ?? .open, link: row.optionalID(2),
                click: row.optionalID(3))
        }
    }

    package func events(
        of identity: Identity.ID, in ids: Range<Int64>, among most: Int
    ) throws -> [IdentityTimeline.Entry] {
        try connection.query(
            """
            SELECT id, name, revenue_text, currency FROM (
                SELECT id, name, identity_id, revenue_text, currency FROM events
                WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound) ORDER BY id LIMIT \(most)
            ) AS log
            WHERE identity_id = \(identity) ORDER BY id DESC
            """
        ) { row in
            let amount = row.optionalText(2).map { [$0, row.optionalText(3)].compactMap { $0 }.joined(separator: " ") }
            return IdentityTimeline.Entry(
                time: IDGenerator.time(of: row.integer(0)), what: .event(name: row.text(1), amount: amount))
        }
    }
}
