import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// The erasure of an identity that referred many sessions: other writers must not wait for all of them.
@Suite struct ErasureBatchTests {
    private static let referredSessions = "SELECT COUNT(*) FROM sessions WHERE referring_identity_id IS NOT NULL"

    @Test func anErasureThatStopsBetweenBatchesIsNotCompleteAndIsContinued() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            let key = app.key.branchKey
            let ann = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let friend = try await exchange.installBy(ann.link, key, at: "192.0.2.2")
            let click = try #require(try await exchange.get(ann.link).linkClickID)
            let open = friend.filter { name, _ in name.hasPrefix("randomized_") }
                .merging(["branch_key": .string(key), "link_identifier": .string(click)])
            for _ in 1..<120 { #expect(try await exchange.post("/v1/open", .object(open)).status == 200) }
            #expect(try await exchange.rows(Self.referredSessions) == 120)

            let stopping = HookedStorage(exchange.installation.storage) { _ in
                if try await exchange.rows(Self.referredSessions) < 120 { throw Failure.unavailable("The process ends.") }
            }
            let requests = SubjectRequestService(
                storage: exchange.installation.storage, people: exchange.people(on: stopping),
                publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
            let request = try await requests.ask(
                .erasure, about: [DataSubject(kind: .developer, value: "ann")], in: app.key.scope)
            await #expect(throws: Failure.self) { try await requests.runAll() }
            let batch = Int64(IdentityDataService.referredSessionsPerBatch)
            #expect(try await exchange.rows(Self.referredSessions) == 120 - batch)
            #expect(try await requests.request(request.handle).doneAt == nil)

            try await exchange.services.subjectRequests.runAll()
            #expect(try await exchange.rows(Self.referredSessions) == 0)
            #expect(try await requests.request(request.handle).doneAt != nil)
            await #expect(throws: Failure.self) {
                _ = try await exchange.services.people.identity("ann", in: app.key.scope)
            }
        }
    }

    /// The log of a busy database is seldom empty.
    @Test func allThatIsErasedIsCompleteOnceTheLogWasEmpty() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let purges = Mutex(0)
            let storage = HookedStorage(
                exchange.installation.storage,
                mayPurge: {
                    purges.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                })
            let requests = SubjectRequestService(
                storage: storage, people: exchange.people(on: storage), publicIDs: exchange.services.publicIDs,
                exports: exchange.services.exports, purgePause: .milliseconds(20))
            for number in 0..<9 {
                _ = try await requests.ask(.erasure, about: [DataSubject(kind: .developer, value: "ann\(number)")], in: scope)
            }
            let pending = "SELECT COUNT(*) FROM subject_requests WHERE done_at IS NULL"
            try await requests.runAll()
            #expect(try await exchange.rows(pending) == 9)

            purges.withLock { $0 = 1 }
            exchange.installation.clock.advance(by: .seconds(600))
            try await Task.sleep(for: .milliseconds(100))
            try await requests.runAll()
            #expect(try await exchange.rows(pending) == 0)
        }
    }

    /// An app may have thousands, each with many ids.
    @Test func anErasureForgetsEachEarlierRequestOnItsOwn() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let ann = [DataSubject(kind: .developer, value: "ann")]
            for _ in 0..<5 { _ = try await exchange.services.subjectRequests.ask(.access, about: ann, in: scope) }
            let named = "SELECT COUNT(*) FROM subject_requests WHERE subjects <> '[]'"
            let stopping = HookedStorage(exchange.installation.storage) { _ in
                if try await exchange.rows(named) == 3 { throw Failure.unavailable("The process ends.") }
            }
            let requests = SubjectRequestService(
                storage: stopping, people: exchange.people(on: stopping), publicIDs: exchange.services.publicIDs,
                exports: exchange.services.exports)
            _ = try await requests.ask(.erasure, about: ann, in: scope)
            await #expect(throws: Failure.self) { try await requests.runAll() }
            #expect(try await exchange.rows(named) == 3)

            exchange.installation.clock.advance(by: .seconds(600))
            try await exchange.services.subjectRequests.runAll()
            #expect(try await exchange.rows(named) == 0)
        }
    }
}
