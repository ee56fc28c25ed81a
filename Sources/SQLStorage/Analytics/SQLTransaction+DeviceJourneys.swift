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
        // Rows of one name need not be sorted. Those of several are, in memory, so only those of an hour at a time.
        guard names.count != 1 else {
            return try events(named: names[...], of: scope, from: first, before: end, visit)
        }
        var start = first
        while start < end {
            let next = min(end, IDGenerator.first(at: Timestamp(hour: IDGenerator.time(of: start).hour + 1)))
            var rows: [(id: Event.ID, device: Device.ID)] = []
            for part in stride(from: 0, to: names.count, by: Self.mostListedNames) {
                let names = names[part..<min(part + Self.mostListedNames, names.count)]
                try events(named: names, of: scope, from: start, before: next) { rows.append(($0, $1)) }
            }
            rows.sort { $0.id < $1.id }
            for row in rows { visit(row.id, row.device) }
            start = max(next, start + 1)
        }
    }

    /// Standard names are spelled in a few ways, unless a client makes spellings up.
    private static var mostListedNames: Int { 16 }

    private func events(
        named names: ArraySlice<String>, of scope: Scope, from first: Int64, before end: Int64,
        _ visit: (Event.ID, Device.ID) -> Void
    ) throws {
        // Of one length, because each length is a statement of its own.
        let missing = names.count == 1 ? 0 : Self.mostListedNames - names.count
        let all = names + repeatElement(names[names.startIndex], count: missing)
        _ = try connection.query(
            """
            SELECT id, device_id FROM events
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name IN \(list: Array(all)) AND id >= \(first) AND id < \(end)
                AND device_id IS NOT NULL
            ORDER BY id
            """
        ) { row in visit(row.id(0), row.id(1)) }
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
            let labels = try connection.first("SELECT link_labels FROM clicks WHERE id = \(click)") { $0.optionalText(0) } ?? nil
            return try labels.map(ActivityLabels.init(stored:)) ?? ActivityLabels(Labels())
        }
        return try connection.first("SELECT channel, campaign, feature FROM links WHERE id = \(link)") { row in
            ActivityLabels(channel: row.optionalText(0), campaign: row.optionalText(1), feature: row.optionalText(2))
        } ?? ActivityLabels(Labels())
    }

    package func place(of device: Device.ID) throws -> (platform: String, country: String) {
        try connection.first("SELECT os, country FROM devices WHERE id = \(device)") { row in
            (AnalyticsRecord.platform(os: row.optionalText(0)), row.optionalText(1) ?? "")
        } ?? ("", "")
    }
}
