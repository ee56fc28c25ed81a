import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct NodeLeaseTests {
    @Test func twoProcessesOnOneDatabaseNeverMakeTheSameId() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let clock = TestClock()
            try await Installation.run(path: path, clock: clock) { first in
                try await Installation.run(path: path, clock: clock) { second in
                    let ids = try await withThrowingTaskGroup(of: [Int64].self) { group in
                        for installation in [first, second] {
                            for _ in 0..<50 { group.addTask { try await installation.newIDs(100) } }
                        }
                        return try await group.reduce(into: [Int64]()) { $0 += $1 }
                    }
                    #expect(Set(ids).count == 10_000)
                    #expect(Set(ids.map { $0 >> 12 & 1023 }).count == 2)
                }
            }
        }
    }

    @Test func aNumberThatWasGivenBackIsUsedAgainButNotItsIds() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let clock = TestClock()
            let first = try await Installation.run(path: path, clock: clock) { try await $0.newIDs(5000) }
            clock.advance(by: .milliseconds(10))
            let second = try await Installation.run(path: path, clock: clock) { try await $0.newIDs(5000) }
            #expect(Set(first + second).count == 10_000)
            #expect(first[0] >> 12 & 1023 == second[0] >> 12 & 1023)
        }
    }

    @Test func aProcessThatStartsAfterTheClockWasSetBackMakesNoOlderIds() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let clock = TestClock()
            let before = try await Installation.run(path: path, clock: clock) { try await $0.clickID() }
            clock.advance(by: .seconds(-3600))
            let after = try await Installation.run(path: path, clock: clock) { installation in
                let first = try await installation.newIDs(10_000)
                clock.advance(by: .seconds(1800))
                return first + (try await installation.newIDs(1))
            }
            #expect(after[0] > before)
            #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test func aLeaseIsRenewedBeforeItEnds() async throws {
        try await Installation.run { installation in
            let before = try await installation.newIDs(1)
            for _ in 0..<10 {
                installation.clock.advance(by: .seconds(45))
                _ = try await installation.newIDs(1)
            }
            installation.clock.advance(by: .seconds(3600))
            let after = try await installation.newIDs(1)
            #expect(after[0] > before[0])
        }
    }
}

extension Installation {
    /// Inserts a click on a new link and returns its id.
    fileprivate func clickID() async throws -> Int64 {
        let app = try await createApp()
        let link = try await services.links.create(
            NewLink(), for: try await services.directory.app(branchKey: app.live.key.branchKey))
        return try await storage.write { transaction in
            let id: Click.ID = try transaction.newID()
            try transaction.insert(.sample(of: link, userAgent: "Browser/1", id))
            return id.rawValue
        }
    }

    fileprivate func newIDs(_ count: Int) async throws -> [Int64] {
        try await storage.write { transaction in try (0..<count).map { _ in try transaction.newID(App.self).rawValue } }
    }
}
