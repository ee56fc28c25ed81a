import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

@Suite struct OrderLimitsTests {
    private static let limits = OrderLimits(queuedExports: 2, exportsPerDay: 3, queuedErasures: 2, subjectRequestsPerDay: 3)

    @Test func exportsAreBoundedInTheQueueAndByDayForEachAppAlone() async throws {
        try await Installation.run(orders: Self.limits) { installation in
            let (app, other) = (
                try await installation.createApp().live.key.scope, try await installation.createApp().live.key.scope
            )
            for _ in 0..<2 { try await order(app, installation) }
            let queued = await #expect(throws: Failure.self) { try await order(app, installation) }
            #expect(queued?.code == .rateLimited)
            #expect(queued?.retryAfter == 60)
            #expect(queued?.message.contains("limits.queued_exports") == true)
            try await order(other, installation)

            try await installation.services.exports.runJobs()
            try await order(app, installation)
            try await installation.services.exports.runJobs()
            let daily = await #expect(throws: Failure.self) { try await order(app, installation) }
            #expect(daily?.message.contains("limits.exports_per_day") == true)
            installation.clock.advance(by: .seconds(try #require(daily?.retryAfter)))
            try await order(app, installation)
        }
    }

    @Test func requestsOfDataSubjectsAreBoundedInTheQueueAndByDay() async throws {
        try await Installation.run(orders: Self.limits) { installation in
            let app = try await installation.createApp().live.key.scope
            for number in 0..<2 { try await ask(.erasure, number, app, installation) }
            let queued = await #expect(throws: Failure.self) { try await ask(.erasure, 3, app, installation) }
            #expect(queued?.message.contains("limits.queued_erasures") == true)
            try await ask(.access, 3, app, installation)
            let daily = await #expect(throws: Failure.self) { try await ask(.access, 4, app, installation) }
            #expect(daily?.code == .rateLimited)
            #expect(daily?.message.contains("limits.subject_requests_per_day") == true)
            installation.clock.advance(by: .seconds(try #require(daily?.retryAfter)))
            try await ask(.access, 4, app, installation)
        }
    }

    private func order(_ scope: Scope, _ installation: Installation) async throws {
        let now = installation.clock.now
        let range = try ExportRange(from: Timestamp(milliseconds: now.milliseconds - 3_600_000), to: now)
        _ = try await installation.services.exports.order(ExportRequest(scope: scope, topic: .clicks, range: range))
    }

    private func ask(_ kind: SubjectRequest.Kind, _ number: Int, _ scope: Scope, _ installation: Installation) async throws {
        _ = try await installation.services.subjectRequests.ask(
            kind, about: [DataSubject(kind: .developer, value: "user-\(number)")], in: scope)
    }
}
