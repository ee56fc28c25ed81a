import LindenKernel
import LindenServices
import Synchronization
import Testing

/// Which of the callers that wait for costly work come first, and which are refused.
@Suite struct FairTurnsTests {
    /// Lets callers of sites come one after another while another caller works. Returns those that worked, in order, and those that were
    /// refused.
    private static func outcome(of sites: [UInt64]) async throws -> (worked: [UInt64], refused: [UInt64]) {
        let turns = FairTurns(atOnce: 1, mostWaiting: (ofSite: 4, ofAll: 8), refusal: "busy")
        let record = Record()
        let callers = try await turns.run(for: nil) {
            var callers: [Task<Void, Never>] = []
            for site in sites {
                callers.append(
                    Task {
                        do {
                            try await turns.run(for: site) { record.worked.withLock { $0.append(site) } }
                        } catch {
                            #expect((error as? Failure)?.code == .unavailable)
                            record.refused.withLock { $0.append(site) }
                        }
                    })
                while turns.waitingCount + record.refused.withLock(\.count) < callers.count { await Task.yield() }
            }
            return callers
        }
        for caller in callers { await caller.value }
        #expect(turns.waitingCount == 0)
        return (record.worked.withLock { $0 }, record.refused.withLock { $0 })
    }

    @Test func theCallersOfOneSiteDoNotDelayThoseOfAnother() async throws {
        let outcome = try await Self.outcome(of: [1, 1, 1, 2, 3])
        #expect(outcome.worked == [1, 2, 3, 1, 1])
        #expect(outcome.refused.isEmpty)
    }

    @Test func aSiteHasFewPlaces() async throws {
        let outcome = try await Self.outcome(of: [1, 1, 1, 1, 1, 1, 2])
        #expect(outcome.worked == [1, 2, 1, 1, 1])
        #expect(outcome.refused == [1, 1])
    }

    @Test func aNewSiteTakesAPlaceOfTheOneThatHasMost() async throws {
        let outcome = try await Self.outcome(of: [1, 1, 1, 2, 2, 2, 2, 3, 4])
        #expect(outcome.worked == [1, 2, 3, 4, 1, 2, 1, 2])
        #expect(outcome.refused == [2])
    }

    @Test func aSiteTakesNoPlaceOfAnotherThatHasAsFew() async throws {
        let outcome = try await Self.outcome(of: [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(outcome.worked == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(outcome.refused == [9])
    }
}

/// The sites of the callers that worked, and of those that were refused.
private final class Record: Sendable {
    let worked = Mutex<[UInt64]>([])
    let refused = Mutex<[UInt64]>([])
}
