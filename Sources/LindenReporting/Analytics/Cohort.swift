import Linden
import LindenKernel

/// Retention of the devices that installed on one day.
package struct Cohort: Sendable, Equatable {
    package let day: AnalyticsSpan
    /// The number of devices.
    package let installs: Int64
    /// The numbers of these devices with a session on the day itself, on the next one and so on. Days in the future are absent.
    package let retained: [Int64]
}

package struct CohortQuery: Sendable {
    package let scope: Scope
    /// The time range of the installs.
    package let span: AnalyticsSpan
    /// The number of days after the install that are reported, 1 to 90.
    package let days: Int

    package init(scope: Scope, span: AnalyticsSpan, days: Int = AnalyticsParameters.Standard.cohortDays) throws {
        guard (1...90).contains(days) else { throw Failure.invalid("days must be from 1 to 90 for a cohort.") }
        self.scope = scope
        self.span = span
        self.days = days
    }
}

extension AnalyticsService {
    /// Returns one cohort for each day of the span, in the span's zone.
    package func cohorts(_ query: CohortQuery) async throws -> [Cohort] {
        let now = clock.now()
        return try await storage.analyze(query.scope) { reader in
            var members: [Device.ID: (day: Int64, lastSeen: Int64)] = [:]
            var installs: [Int64: Int64] = [:]
            var retained: [Int64: [Int: Int64]] = [:]
            let end = query.span.end + .seconds(86400 * (query.days + 1))
            try reader.openings(
                of: query.scope, from: IDGenerator.first(at: query.span.start), before: IDGenerator.first(at: end)
            ) { session, device, kind in
                let day = query.span.day(of: session.time)
                if kind.isInstall, session.time < query.span.end, members[device] == nil {
                    members[device] = (day, day - 1)
                    installs[day, default: 0] += 1
                    try deviceLimit.check(members.count)
                }
                guard let member = members[device], day > member.lastSeen, day - member.day <= query.days else { return }
                members[device]?.lastSeen = day
                retained[member.day, default: [:]][Int(day - member.day), default: 0] += 1
            }
            return query.span.periods(.day).map { period in
                let day = query.span.day(of: period.start)
                let elapsed = min(Int64(query.days), query.span.day(of: now) - day)
                return Cohort(
                    day: period, installs: installs[day] ?? 0,
                    retained: elapsed < 0 ? [] : (0...Int(elapsed)).map { retained[day]?[$0] ?? 0 })
            }
        }
    }
}
