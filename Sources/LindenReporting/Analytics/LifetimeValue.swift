import Linden
import LindenKernel

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
            var values: [String: LifetimeValue] = [:]
            var installed: [Device.ID: (value: String, time: Timestamp, hasPaid: Bool)] = [:]
            let (start, end) = (IDGenerator.first(at: query.span.start), IDGenerator.first(at: query.span.end))
            let days = Duration.seconds(86400 * query.days)
            var installs: [Install] = []
            try reader.installs(of: query.scope, from: start, before: end) { installs.append($0) }
            var names = InstallValues(reader, by: query.dimension)
            for install in installs where installed[install.device] == nil {
                let value = try names.value(of: install)
                installed[install.device] = (value, install.id.time, false)
                values[value, default: LifetimeValue(value: value)].installs += 1
            }
            try reader.payments(of: query.scope, from: start, before: IDGenerator.first(at: query.span.end + days)) {
                event, device, revenue in
                guard let install = installed[device], event.time >= install.time, event.time < install.time + days else { return }
                values[install.value]?.revenue += MoneySum(revenue)
                if !install.hasPaid { values[install.value]?.payers += 1 }
                installed[device]?.hasPaid = true
            }
            return values.values.sorted { ($1.revenue, $0.value) < ($0.revenue, $1.value) }
        }
    }
}
