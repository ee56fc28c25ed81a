import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func installs(of scope: Scope, from first: Int64, before end: Int64, _ visit: (Install) throws -> Void) throws {
        _ = try connection.query(
            """
            SELECT id, device_id, link_id, click_id FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end)
                AND kind IN \(literals: Session.Kind.installValues)
            ORDER BY id
            """
        ) { row in
            try visit(Install(id: row.id(0), device: row.id(1), link: row.optionalID(2), click: row.optionalID(3)))
        }
    }

    package func openings(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Session.ID, Device.ID, Session.Kind) throws -> Void
    ) throws {
        _ = try connection.query(
            """
            SELECT id, device_id, kind FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end) AND kind <> \(Session.Kind.userChange.rawValue)
            ORDER BY id
            """
        ) { row in
            if let kind = Session.Kind(rawValue: row.integer(2)) { try visit(row.id(0), row.id(1), kind) }
        }
    }

    package func events(
        named names: [String], of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID) -> Void
    ) throws {
        guard names.count <= Self.mostListedNames else {
            return try events(amongMany: Set(names), of: scope, from: first, before: end, visit)
        }
        // Of one length, because each length is a statement of its own. Rows of one name alone need not be sorted.
        let names = names.count == 1 ? names : names + repeatElement(names[0], count: Self.mostListedNames - names.count)
        _ = try connection.query(
            """
            SELECT id, device_id FROM events
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name IN \(list: names) AND id >= \(first) AND id < \(end)
                AND device_id IS NOT NULL
            ORDER BY id
            """
        ) { row in visit(row.id(0), row.id(1)) }
    }

    /// Standard names are spelled in a few ways, unless a client makes spellings up.
    private static var mostListedNames: Int { 16 }

    private func events(
        amongMany names: Set<String>, of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID) -> Void
    ) throws {
        _ = try connection.query(
            """
            SELECT id, device_id, name FROM events
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end) AND device_id IS NOT NULL
            ORDER BY id
            """
        ) { row in if names.contains(row.text(2)) { visit(row.id(0), row.id(1)) } }
    }

    package func payments(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID, _ revenue: Money) -> Void
    ) throws {
        _ = try connection.query(
            """
            SELECT id, device_id, revenue FROM events
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end) AND revenue IS NOT NULL
                AND device_id IS NOT NULL
            ORDER BY id
            """
        ) { row in visit(row.id(0), row.id(1), Money(millionths: row.integer(2))) }
    }

    package func labels(of link: Link.ID, click: Click.ID?) throws -> ActivityLabels {
        if link == .long {
            let query = try connection.first("SELECT query FROM clicks WHERE id = \(click)") { $0.optionalText(0) } ?? nil
            return ActivityLabels(longLink: query ?? "")
        }
        return try connection.first("SELECT channel, campaign, feature FROM links WHERE id = \(link)") { row in
            ActivityLabels(channel: row.optionalText(0), campaign: row.optionalText(1), feature: row.optionalText(2))
        } ?? ActivityLabels(channel: nil, campaign: nil, feature: nil)
    }

    package func place(of device: Device.ID) throws -> (platform: String, country: String) {
        try connection.first("SELECT os, country FROM devices WHERE id = \(device)") { row in
            (AnalyticsRecord.platform(os: row.optionalText(0)), row.optionalText(1) ?? "")
        } ?? ("", "")
    }
}
