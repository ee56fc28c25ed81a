import Dispatch
import Foundation
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct GroupCommitTests {
    private struct Refusal: Error {}

    @Test func manyWritesAtOnceAreAllThere() async throws {
        try await Installation.withFolder { folder in
            try await Installation.run(path: folder + "/linden.db") { installation in
                try await installation.prepareNotes()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<1000 {
                        group.addTask { try await installation.sql { try $0.execute("INSERT INTO notes (id) VALUES (\(number))") } }
                    }
                    try await group.waitForAll()
                }
                #expect(try await installation.count("SELECT COUNT(*) FROM notes") == 1000)
            }
        }
    }

    @Test func aWriteThatFailsHalfWayLeavesNothingAndItsNeighboursEverything() async throws {
        try await Installation.run { installation in
            try await installation.prepareNotes()
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let outcome: Void? = try? await installation.sql { connection in
                            try connection.execute("INSERT INTO notes (id) VALUES (\(number))")
                            if number % 3 == 0 { throw Refusal() }
                        }
                        return outcome != nil
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 200)
            #expect(try await installation.count("SELECT COUNT(*) FROM notes") == 200)
            #expect(try await installation.count("SELECT COUNT(*) FROM notes WHERE id % 3 = 0") == 0)
        }
    }

    @Test func aWriteThatBreaksARuleOfTheSchemaLeavesItsNeighboursAlone() async throws {
        try await Installation.run { installation in
            try await installation.prepareNotes()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try? await installation.sql { connection in
                            try connection.execute("INSERT INTO notes (id) VALUES (\(number))")
                            try connection.execute("INSERT INTO notes (id) VALUES (\(number == 50 ? 50 : 1000 + number))")
                        }
                    }
                }
            }
            #expect(try await installation.count("SELECT COUNT(*) FROM notes") == 198)
        }
    }

    @Test func aWriteIsAnsweredWhileLaterOnesThatTakeLongStillRun() async throws {
        try await Installation.run { installation in
            let isAnswered = DispatchSemaphore(value: 0)
            async let first: Void = installation.storage.write { _ in
                // While this one runs, the others are queued.
                Thread.sleep(forTimeInterval: 0.1)
            }
            try await Task.sleep(for: .milliseconds(20))
            async let second: Void = installation.storage.write { _ in Thread.sleep(forTimeInterval: 0.05) }
            try await Task.sleep(for: .milliseconds(20))
            async let third = installation.storage.write { _ in isAnswered.wait(timeout: .now() + 10) == .success }
            try await first
            try await second
            isAnswered.signal()
            #expect(try await third)
        }
    }

    @Test func aTermOfAFailedWriteIsNotTakenForWritten() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let link = try await installation.services.links.create(
                NewLink(alias: "pears"), for: installation.services.apps.context(app.live.key.branchKey))
            try? await installation.storage.write { transaction in
                try transaction.insert(.sample(of: link, userAgent: "Browser/1", try transaction.newID()))
                throw Refusal()
            }
            let id = try await installation.storage.write { transaction in
                let id: Click.ID = try transaction.newID()
                try transaction.insert(.sample(of: link, userAgent: "Browser/1", id))
                return id
            }
            #expect(try await installation.storage.read { try $0.click(id)?.userAgent } == "Browser/1")
        }
    }

    @Test func whatIsTooMuchForTheQueueIsRefusedAtOnce() async throws {
        let storage = try SQLiteStorage(path: ":memory:", options: SQLiteOptions(queueLimit: 4))
        let outcomes = await withTaskGroup(of: Failure.Code?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do {
                        try await storage.write { transaction in for _ in 0..<200 { _ = try transaction.apps() } }
                        return nil
                    } catch {
                        return (error as? Failure)?.code
                    }
                }
            }
            return await group.reduce(into: [Failure.Code?]()) { $0.append($1) }
        }
        await storage.shutdown()
        #expect(outcomes.contains(.unavailable))
        #expect(outcomes.contains(nil))
    }

    @Test(.enabled(if: Engine.isSQLite)) func aClosedStorageHasDoneWhatItAcceptedAndRefusesTheRest() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let storage = try SQLiteStorage(path: path, options: SQLiteOptions(creates: true))
            let app = Identifier<App>(rawValue: 1)
            async let accepted: Void = storage.write { transaction in
                try transaction.insert(
                    App(id: app, name: "Kept", configuration: AppConfiguration(), createdAt: transaction.now))
            }
            try await accepted
            await storage.shutdown()
            let failure = await #expect(throws: Failure.self) { try await storage.write { _ = $0.now } }
            #expect(failure?.code == .unavailable)
            try await Installation.run(path: path) { installation in
                let name = try await installation.storage.read { try $0.app(app)?.name }
                #expect(name == "Kept")
            }
        }
    }
}

extension Installation {
    fileprivate func prepareNotes() async throws {
        try await sql { try $0.execute(script: "CREATE TABLE notes (id INTEGER PRIMARY KEY)") }
    }
}
