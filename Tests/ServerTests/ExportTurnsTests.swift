import Linden
import LindenTesting
import Testing

@Suite struct ExportTurnsTests {
    @Test func theLongExportOfOneAppDoesNotDelayThatOfAnother() async throws {
        try await Exchange.run { exchange in
            let (installation, exports) = (exchange.installation, exchange.services.exports)
            let (long, short) = (try await installation.createApp().live.key, try await installation.createApp().live.key)
            let path = try await exchange.createLink(long.branchKey)
            for _ in 0..<20 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            installation.clock.advance(by: .seconds(7200))
            _ = try await exchange.get(try await exchange.createLink(short.branchKey), userAgent: UserAgents.desktop)
            installation.clock.advance(by: .seconds(1))
            let now = installation.clock.now.milliseconds
            let first = try await order(long, from: now - 10_800_000, to: now - 3_600_000, exports)
            let second = try await order(short, from: now - 3_600_000, to: now, exports)

            let page = ExportPageLimit(rows: 1)
            #expect(try await exports.runRound(page: page))
            #expect(try await exports.job(first.handle, of: long.scope.app).state == .running)
            let done = try await exports.job(second.handle, of: short.scope.app)
            #expect(done.state == .complete)
            #expect(done.rows == 1)

            while try await exports.runRound(page: page) {}
            let later = try await exports.job(first.handle, of: long.scope.app)
            #expect(later.state == .complete)
            #expect(later.rows == 20)
        }
    }

    private func order(_ key: AppKey, from: Int64, to: Int64, _ exports: ExportService) async throws -> ExportJob {
        let range = try ExportRange(from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to))
        return try await exports.order(ExportRequest(scope: key.scope, topic: .click, range: range))
    }
}
