import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The pending clicks of a server that has ended are in the memory of the next one, or merged.
@Suite(.enabled(if: Engine.isSQLite)) struct PendingClickRecoveryTests {
    @Test func clicksOfAnEndedServerMatchAfterTheNextStartUnlessAnInstallClaimedThem() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let (key, claimed) = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let (app, link) = try await server.appWithLink()
                for number in 1...9 { try await server.visit(link, from: "2001:db8:\(number)::1") }
                return (app.key.branchKey, try await server.matches(app, installs: 1, from: "2001:db8:1::1"))
            }
            #expect(claimed == 1)

            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                let app = try await server.services.directory.app(branchKey: key)
                var matches: [Int] = []
                for number in 1...9 { matches.append(try await server.matches(app, installs: 2, from: "2001:db8:\(number)::1")) }
                #expect(matches == [0] + Array(repeating: 1, count: 8))
            }
        }
    }

    /// What a smaller limit leaves no room for is merged at the start.
    @Test func allClicksOfAnEndedServerMatchAlsoWithLittleMemory() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let key = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let (app, link) = try await server.appWithLink()
                for number in 1...9 { try await server.visit(link, from: "2001:db8:\(number)::1") }
                #expect(try await server.matches(app, installs: 1, from: "2001:db8:1::1") == 1)
                return app.key.branchKey
            }

            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 4) { server in
                #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 8)
                let app = try await server.services.directory.app(branchKey: key)
                var matches: [Int] = []
                for number in 1...9 { matches.append(try await server.matches(app, installs: 2, from: "2001:db8:\(number)::1")) }
                #expect(matches == [0] + Array(repeating: 1, count: 8))
            }
        }
    }

    @Test(arguments: [false, true])
    func aClickStaysClaimedAfterAClockThatWasFastForAWhile(restarted: Bool) async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let click = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let click = try await server.pendingClick(window: 7200)
                try await server.claim(click)
                let year = Duration.seconds(365 * 86_400)
                clock.advance(by: year)
                // Before the click leaves memory, as the rest of the maintenance would have it.
                try await server.storage.write { transaction in
                    try transaction.deleteClaims(ofClicksBefore: transaction.now - PendingClick.claimPeriod, limit: 10)
                }
                clock.advance(by: .zero - year)
                if !restarted { #expect(try await server.claim(click) == false) }
                return click
            }
            guard restarted else { return }
            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                let isClaimedAgain = try await server.claim(click)
                #expect(!isClaimedAgain)
            }
        }
    }

    /// Without clicks in memory, the cursor follows the clock only as far as the log goes.
    @Test func clicksAreRecoveredAfterAClockThatWasFastForAWhile() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let click = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                clock.advance(by: .seconds(10 * 3600))
                try await server.services.maintenance.runOnce()
                clock.advance(by: .seconds(-10 * 3600))
                return try await server.pendingClick(window: 7200)
            }
            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                let found = try await server.pendingClicks(like: click)
                #expect(found == [click.id])
            }
        }
    }

    /// The clock of a machine may be wrong until it has asked a time server.
    @Test func clicksThatSeemExpiredToAFastClockAtTheStartAreRecovered() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let click = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                try await server.pendingClick(window: 7200)
            }
            clock.advance(by: .seconds(12_600))
            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                clock.advance(by: .seconds(-12_600))
                let found = try await server.pendingClicks(like: click)
                #expect(found == [click.id])
            }
        }
    }
}
