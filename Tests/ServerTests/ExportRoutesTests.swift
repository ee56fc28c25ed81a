import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Synchronization
import Testing

@Suite struct ExportRoutesTests {
    @Test func aTopicsFileIsGoodForSevenDaysAndForNothingElse() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.get(try await exchange.createLink(app.live.key.branchKey), userAgent: UserAgents.desktop)
            exchange.installation.clock.advance(by: .seconds(1))
            let answer = try await exchange.post(
                "/v3/export",
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
                    "export_date": "2027-01-15",
                ])
            let topics = try #require(answer.json.object)
            #expect(Set(topics.keys) == Set(ExportTopic.daily.map(\.rawValue)))
            let url = try #require(topics["eo_click"]?.array?.first?.string)
            let target = String(url.dropFirst("https://go.example.com".count))

            #expect(try await exchange.get(target).status == 200)
            #expect(try await exchange.get(target.replacing("eo_click", with: "eo_open")).status == 403)
            #expect(try await exchange.get(target.replacing("2027-01-15", with: "2027-01-14")).status == 403)
            exchange.installation.clock.advance(by: .seconds(7 * 86400))
            let late = try await exchange.get(target)
            #expect(late.status == 403)
            #expect(late.body.contains("7 days"))
        }
    }

    @Test func anExportThatGoesOnHasWhatCameSinceAndNothingTwice() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            var checkpoint: ExportCheckpoint?
            for round in 1...3 {
                for _ in 0..<round { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
                installation.clock.advance(by: .milliseconds(1))
                var request = ExportRequest(
                    scope: key.scope, topic: .click, range: try ExportRange(from: nil, to: nil, now: installation.clock.now))
                request.since = checkpoint
                request.columns = try ExportColumn.columns(named: ["id"], of: .click)
                var cursor = try await exchange.services.exports.begin(request)
                while try await cursor.next() != nil {}
                #expect(cursor.rows == Int64(round))
                checkpoint = cursor.checkpoint
            }
        }
    }

    @Test func whatGoesOnFromTheFutureIsRefused() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let range = try ExportRange(from: nil, to: nil, now: exchange.installation.clock.now)
            let exports = exchange.services.exports
            for id in [Int64.max, IDGenerator.first(at: exchange.installation.clock.now + .seconds(1))] {
                var later = ExportRequest(scope: scope, topic: .click, range: range)
                later.since = ExportCheckpoint(id: id)
                let request = later
                await #expect(throws: Failure.self) { () async throws -> Void in _ = try await exports.begin(request) }
                await #expect(throws: Failure.self) { () async throws -> Void in
                    _ = try await exports.tail([], in: scope, since: ExportCheckpoint(id: id))
                }
            }
        }
    }

    @Test func anExportOfTimesToComeLeavesNoneOfThemOut() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            var request = ExportRequest(
                scope: key.scope, topic: .click,
                range: try ExportRange(from: "2027-02-01", to: "2027-02-02", now: installation.clock.now))
            var early = try await exchange.services.exports.begin(request)
            while try await early.next() != nil {}
            installation.clock.advance(by: .seconds(17 * 86400))
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            installation.clock.advance(by: .seconds(1))
            request.since = early.checkpoint
            var late = try await exchange.services.exports.begin(request)
            while try await late.next() != nil {}
            #expect(early.rows == 0)
            #expect(late.rows == 1)
        }
    }

    @Test func aTailFromLongAgoCatchesUpAtOnce() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            let path = try await exchange.createLink(key.branchKey)
            for _ in 0..<3 {
                _ = try await exchange.get(path, userAgent: UserAgents.desktop)
                exchange.installation.clock.advance(by: .seconds(86400))
            }
            var tail = try await exchange.services.exports.tail([], in: key.scope, since: ExportCheckpoint(id: 0))
            let entries = try await tail.next()
            #expect(entries.count == 3)
            #expect(tail.isCaughtUp)
        }
    }

    /// Bounds the memory of a tail, however large the events are.
    @Test func aTailGivesLargeEventsAFewAtATime() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            for number in 0..<6 {
                let event = try await exchange.post(
                    "/v2/event/custom",
                    [
                        "branch_key": .string(key.branchKey), "name": .string("pear \(number)"),
                        "custom_data": ["skin": .string(String(repeating: "g", count: 100_000))],
                    ])
                #expect(event.status == 200)
            }
            exchange.installation.clock.advance(by: .seconds(2))
            var tail = try await exchange.services.exports.tail([], in: key.scope, since: ExportCheckpoint(id: 0))
            var (counts, names): ([Int], [String]) = ([], [])
            repeat {
                let entries = try await tail.next()
                counts.append(entries.count)
                names += entries.compactMap { $0.members["name"]?.string }
            } while !tail.isCaughtUp
            #expect(names == (0..<6).map { "pear \($0)" })
            #expect(counts.max() == 3)
        }
    }

    @Test func theWriterIsAskedOnceASecondHoweverManyListen() async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            let writes = Counter()
            let random = RandomSource.repeatable()
            let services = Services(
                storage: HookedStorage(installation.storage) { _ in writes.count.withLock { $0 += 1 } },
                installationKey: try await installation.storage.installationKey(random: random),
                baseURL: installation.services.baseURL, clock: installation.clock.clock, random: random)
            var tails: [ExportTail] = []
            for _ in 0..<10 { tails.append(try await services.exports.tail([], in: scope, since: nil)) }
            let before = writes.count.withLock { $0 }
            for second in 1...3 {
                for index in tails.indices { _ = try await tails[index].next() }
                #expect(writes.count.withLock { $0 } == before + second)
                installation.clock.advance(by: .seconds(1))
            }
        }
    }

    @Test func anOrderThatFailsKeepsNoOtherWaiting() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key
            _ = try await exchange.get(try await exchange.createLink(key.branchKey), userAgent: UserAgents.desktop)
            _ = try await exchange.post(
                "/v2/event/custom",
                ["branch_key": .string(key.branchKey), "name": "picked", "user_data": ["developer_identity": "ann"]])
            _ = try await installation.storage.write { transaction in
                try (transaction as! SQLTransaction).connection.execute("UPDATE events SET body = '{'")
            }
            installation.clock.advance(by: .seconds(1))
            let range = try ExportRange(from: nil, to: nil, now: installation.clock.now)
            var jobs: [ExportJob] = []
            for topic in [ExportTopic.customEvent, .click] {
                jobs.append(
                    try await exchange.services.exports.order(ExportRequest(scope: key.scope, topic: topic, range: range)))
            }
            try await exchange.services.exports.runJobs()
            let states = try await installation.storage.read { [jobs] reader in
                try jobs.map { try reader.exportJob($0.handle)?.state }
            }
            #expect(states == [.failed, .complete])
            let token = try await exchange.services.tokens.create(name: "exports", role: .analyst, app: nil).secret
            let answer = try await exchange.get(
                "/v2/logs/\(jobs[0].handle)?app_id=\(key.scope.app)", headers: [.authorization: "Bearer \(token)"])
            let failure = try #require(try await exchange.services.exports.job(jobs[0].handle, of: key.scope.app).failure)
            #expect(!failure.isEmpty)
            #expect(answer.object["status"] == "failed")
            #expect(answer.object["message"]?.string == failure)
        }
    }

    @Test func anOrderIsFetchedForSevenDaysAfterItHoweverLateItIsAskedAfter() async throws {
        try await Exchange.run { exchange in
            let (installation, exports) = (exchange.installation, exchange.services.exports)
            let key = try await installation.createApp().live.key
            let job = try await exports.order(
                ExportRequest(
                    scope: key.scope, topic: .click, range: try ExportRange(from: nil, to: nil, now: installation.clock.now)))
            try await exports.runJobs()
            installation.clock.advance(by: .seconds(6 * 86400))
            let file = try await exports.signedFile(of: job)
            let target = "/api/v1/exports/" + file.name + "?" + file.query
            #expect(try await exchange.get(target).status == 200)
            installation.clock.advance(by: .seconds(86400))
            #expect(try await exchange.get(target).status == 403)
        }
    }
}

private final class Counter: Sendable {
    let count = Mutex(0)
}
