import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// A service that checks an app's attribution, settings, security and events, for the doctor.
package struct AppDiagnosisService: Sendable {
    let events: EventService
    let domains: DomainService
    let analytics: AnalyticsService
    let refusedURLs: RefusedURLMonitor
    let proxyFaults: ProxyFaultMonitor
    let limits: RateLimits

    /// How many days of installs are checked.
    private static let days: Int64 = 30

    /// Returns the findings about one side of an app.
    package func findings(on context: AppContext) async throws -> [Finding] {
        let (app, scope) = (context.app, context.scope)
        let reference = scope.mode == .test ? context.key.branchKey : String(app.id.rawValue)
        let attribution = AttributionCheck.findings(
            on: app, hasDomain: try await !domains.list(of: scope.app, scope.mode, limit: 1).domains.isEmpty,
            try await analytics.attributionSummary(of: scope, days: Self.days), days: Self.days, reference: reference)
        let settings =
            StoredSettingsCheck.findings(on: app, reference: reference) + CreditSettingsCheck.findings(on: app)
            + TextMessageCheck.findings(on: app)
        let refused = try await refusedURLs.findings(of: scope, reference: reference)
        let problems = try await events.problems(in: scope).map { $0.finding(on: app) }
        return attribution + settings + refused + problems
    }

    /// Returns the findings about the server, which are the same for all apps: its proxies and its limits.
    package func serverFindings() async throws -> [Finding] {
        try await proxyFaults.findings() + limits.findings
    }
}
