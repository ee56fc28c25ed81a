import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
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

    /// A turn of one page with all remaining rows makes seven reads less than a turn of eight pages, and no page is read ahead.
    @Test func aTurnReadsNoPageThatItDoesNotUse() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let (storage, random) = (HookedStorage(installation.storage), RandomSource.repeatable())
            let exports = Services(
                storage: storage, installationKey: try await installation.storage.installationKey(random: random),
                baseURL: installation.services.baseURL, clock: installation.clock.clock, random: random
            ).exports
            let key = try await installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            for _ in 0..<20 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            installation.clock.advance(by: .seconds(1))
            let now = installation.clock.now.milliseconds
            let job = try await order(key, from: now - 3_600_000, to: now, exports)
            var reads: [Int] = []
            for rows in [1, 1, 1000] {
                let before = storage.readCount
                #expect(try await exports.runRound(page: ExportPageLimit(rows: rows)))
                reads.append(storage.readCount - before)
            }
            #expect(reads[1] - reads[2] == 7)
            let done = try await exports.job(job.handle, of: key.scope.app)
            #expect(done.state == .complete)
            #expect(done.rows == 20)
        }
    }

    /// A row of JSON has the names of all columns, many times what is stored of it.
    @Test func thePartsOfADownloadAreBoundedByWhatIsWritten() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            for _ in 0..<40 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            installation.clock.advance(by: .seconds(1))
            let now = installation.clock.now
            var request = ExportRequest(
                scope: key.scope, topic: .click, range: try ExportRange(from: now - .seconds(3600), to: now))
            request.format = .ndjson
            var cursor = try await exchange.services.exports.begin(request, page: ExportPageLimit(bytes: 30_000))
            var parts: [Int] = []
            while let part = try await cursor.next() { parts.append(part.count) }
            #expect(cursor.rows == 40)
            #expect(parts.allSatisfy { $0 < 45_000 }, "\(parts)")
            #expect(parts.reduce(0, +) > 100_000)
        }
    }

    private func order(_ key: AppKey, from: Int64, to: Int64, _ exports: ExportService) async throws -> ExportJob {
        let range = try ExportRange(from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to))
        return try await exports.order(ExportRequest(scope: key.scope, topic: .click, range: range))
    }
}
