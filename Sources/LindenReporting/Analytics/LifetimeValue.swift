import Linden
import LindenKernel
import OrderedCollections

/// The revenue of devices that installed within a span.
package struct LifetimeValue: Sendable, Equatable {
    /// The value of the dimension; empty for none.
    package let value: String
    package var installs: Int64
    /// The number of these devices with revenue within the query's days.
    package var payers: Int64
    /// Revenue in the reporting currency.
    package var revenue: MoneySum

    package init(value: String, installs: Int64 = 0, payers: Int64 = 0, revenue: MoneySum = MoneySum()) {
        self.value = value
        self.installs = installs
        self.payers = payers
        self.revenue = revenue
    }
}

package struct LifetimeValueQuery: Sendable {
    package let scope: Scope
    /// The time range of the installs.
    package let span: AnalyticsSpan
    package let dimension: Dimension
    /// The number of days after its install in which a device's revenue counts, 1 to 731.
    package let days: Int

    package static let dimensions: [Dimension] = [.channel, .campaign, .feature, .link, .platform, .country]

    package init(
        scope: Scope, span: AnalyticsSpan, dimension: Dimension = .channel, days: Int = AnalyticsParameters.Standard.lifetimeDays
    ) throws {
        guard Self.dimensions.contains(dimension) else {
            throw Failure.invalid("by must be one of \(Self.dimensions.map(\.rawValue).joined(separator: ", ")).")
        }
        guard (1...731).contains(days) else { throw Failure.invalid("days must be from 1 to 731 for lifetime value.") }
        self.scope = scope
        self.span = span
        self.dimension = dimension
        self.days = days
    }
}

extension AnalyticsService {
    /// Returns one element for each value that installs had, highest revenue first.
    package func lifetimeValues(_ query: LifetimeValueQuery) async throws -> [LifetimeValue] {
        try await storage.analyze(query.scope) { reader in
            var values: OrderedDictionary<GroupValues, LifetimeValue> = [:]
            // The devices, with the place of their value in `values`.
            var installed: [Device.ID: (time: Timestamp, place: Int32, hasPaid: Bool)] = [:]
            let (start, end) = (IDGenerator.first(at: query.span.start), IDGenerator.first(at: query.span.end))
            let days = Duration.seconds(86400 * query.days)
            var names = InstallValues(reader, by: query.dimension)
            var groups = GroupLimit()
            try reader.installs(of: query.scope, from: start, before: end) { install in
                guard installed[install.device] == nil else { return }
                let (value, former) = (try names.value(of: install), values.count)
                let key: GroupValues = [value]
                values[key, default: LifetimeValue(value: value)].installs += 1
                installed[install.device] = (install.id.time, Int32(values.index(forKey: key) ?? 0), false)
                try deviceLimit.check(installed.count)
                try groups.check(values.count, after: former, adding: [key])
            }
            try reader.payments(of: query.scope, from: start, before: IDGenerator.first(at: query.span.end + days)) {
                event, device, revenue in
                guard let install = installed[device], event.time >= install.time, event.time < install.time + days else { return }
                let place = Int(install.place)
                values.values[place].revenue += MoneySum(revenue)
                if !install.hasPaid { values.values[place].payers += 1 }
                installed[device]?.hasPaid = true
            }
            return values.values.sorted { $0.revenue == $1.revenue ? $0.value.isBeforeByBytes($1.value) : $1.revenue < $0.revenue }
        }
    }
}
