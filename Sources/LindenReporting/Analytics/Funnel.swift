import Linden
import LindenKernel
import OrderedCollections

/// A query for funnels: clicks, the installs they led to, and the installed devices that had an event.
package struct FunnelQuery: Sendable {
    package let scope: Scope
    /// The time range of the clicks.
    package let span: AnalyticsSpan
    package let event: String
    /// The dimension by which funnels are divided: a label of the link, or the link itself; nil for one funnel.
    package let dimension: Dimension?
    /// The window in days, both from a click to its install and from an install to its event.
    package let days: Int

    var window: Duration { .seconds(86400 * days) }

    package static let dimensions: [Dimension] = [.channel, .campaign, .feature, .link]

    /// Fails with `invalid` for a dimension that a click and its install do not share, for an empty event name, and for a window outside 1
    /// to 365 days.
    package init(
        scope: Scope, span: AnalyticsSpan, event: String, dimension: Dimension?, days: Int = AnalyticsParameters.Standard.funnelDays
    ) throws {
        if let dimension, !Self.dimensions.contains(dimension) {
            throw Failure.invalid("by must be one of \(Self.dimensions.map(\.rawValue).joined(separator: ", ")).")
        }
        guard !event.isEmpty else { throw Failure.invalid("A funnel needs the name of an event, such as PURCHASE.", at: "event") }
        guard (1...365).contains(days) else { throw Failure.invalid("days must be from 1 to 365 for a funnel.") }
        self.scope = scope
        self.span = span
        self.event = event
        self.dimension = dimension
        self.days = days
    }
}

package struct Funnel: Sendable, Equatable {
    /// The value of the dimension; empty for none.
    package let value: String
    package let clicks: Int64
    /// The number of installs credited to those clicks.
    package let installs: Int64
    /// The number of installed devices that had the event.
    package let converted: Int64
    /// The lower median of the time from a click to its install; nil without installs.
    package let medianMillisecondsToInstall: Int64?

    package init(value: String, clicks: Int64, installs: Int64, converted: Int64, medianMillisecondsToInstall: Int64?) {
        self.value = value
        self.clicks = clicks
        self.installs = installs
        self.converted = converted
        self.medianMillisecondsToInstall = medianMillisecondsToInstall
    }
}

extension AnalyticsService {
    /// Returns the funnels, the one with the most clicks first.
    package func funnels(_ query: FunnelQuery) async throws -> [Funnel] {
        try await storage.analyze(query.scope) { reader in
            let ofClicks = try AnalyticsQuery(
                scope: query.scope, topics: [.click], span: query.span, dimensions: query.dimension.map { [$0] } ?? [])
            var clicks: [GroupValues: Int64] = [:]
            for (values, count) in try AggregateReader(of: ofClicks, from: reader, rowLimit: rowLimit).figures(in: query.span) {
                clicks[[values.texts.first ?? ""]] = Int64(count)
            }
            // The devices, with the place of their value in `waits`.
            var installed: [Device.ID: (time: Timestamp, place: Int32)] = [:]
            var waits: OrderedDictionary<GroupValues, [Int64]> = [:]
            var (installs, last) = (0, query.span.end)
            var groups = GroupLimit()
            var values = InstallValues(reader, by: query.dimension)
            try query.installs(from: reader) { install, click in
                let (value, former): (GroupValues, Int) = ([try values.value(of: install)], waits.count)
                waits[value, default: []].append(install.id.time.milliseconds - click.time.milliseconds)
                installed[install.device] = (install.id.time, Int32(waits.index(forKey: value) ?? 0))
                installs += 1
                try deviceLimit.check(installs)
                try groups.check(waits.count, after: former, adding: [value])
                last = max(last, install.id.time)
            }
            var converted: [GroupValues: Int64] = [:]
            try reader.events(
                named: try reader.storedNames(of: EventName(query.event), in: query.scope), of: query.scope,
                from: IDGenerator.first(at: query.span.start), before: IDGenerator.first(at: last + query.window)
            ) { event, device in
                guard let install = installed[device], event.time >= install.time, event.time < install.time + query.window
                else { return }
                installed[device] = nil
                converted[waits.keys[Int(install.place)], default: 0] += 1
            }
            return Set(clicks.keys).union(waits.keys).map { value in
                let waited = waits[value, default: []].sorted()
                return Funnel(
                    value: value.texts.first ?? "", clicks: clicks[value] ?? 0, installs: Int64(waited.count),
                    converted: converted[value] ?? 0,
                    medianMillisecondsToInstall: waited.isEmpty ? nil : waited[(waited.count - 1) / 2])
            }.sorted { $0.clicks == $1.clicks ? $0.value.isBeforeByBytes($1.value) : $1.clicks < $0.clicks }
        }
    }
}

extension FunnelQuery {
    /// Visits the installs credited to clicks within the span, if the install is within the window.
    fileprivate func installs(from reader: any DeviceJourneyReader, _ visit: (Install, Click.ID) throws -> Void) throws {
        let (start, end) = (IDGenerator.first(at: span.start), IDGenerator.first(at: span.end))
        try reader.installs(of: scope, from: start, before: IDGenerator.first(at: span.end + window)) { install in
            guard let click = install.click, click.rawValue >= start, click.rawValue < end,
                install.id.time < click.time + window
            else { return }
            try visit(install, click)
        }
    }
}
