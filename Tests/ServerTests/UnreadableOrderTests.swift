import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Stored orders of files with values that this version does not know.
@Suite struct UnreadableOrderTests {
    @Test(arguments: ["csv", "aggregate"])
    func aReportWithAnUnknownValueFails(value: String) async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let reports = exchange.services.reports
            let job = try await reports.order(.aggregate, [:], format: .csv, limit: nil, scope: scope)
            _ = try await exchange.rows("UPDATE report_jobs SET request = REPLACE(request, '\(value)', 'unknown') RETURNING 1")
            await #expect(throws: MemberError.self) { try await reports.job(job.handle, of: scope.app) }
        }
    }

    @Test func anExportWithAnUnknownFormatFails() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let now = exchange.installation.clock.now
            let export = ExportRequest(scope: scope, topic: .click, range: try ExportRange(from: now - .seconds(3600), to: now))
            let exports = exchange.services.exports
            let job = try await exports.order(export)
            _ = try await exchange.rows(#"UPDATE export_jobs SET request = REPLACE(request, '"csv"', '"unknown"') RETURNING 1"#)
            try await exports.runJobs()
            #expect(try await exports.job(job.handle, of: scope.app).state == .failed)
        }
    }
}
