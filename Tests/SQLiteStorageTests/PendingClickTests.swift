import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// A server keeps pending clicks in memory; an install matches them as if each had its row.
@Suite(.enabled(if: Engine.isSQLite)) struct PendingClickTests {
    private static let home = "2001:db8:7::1"

    @Test func aClickInMemoryMatchesOneInstall() async throws {
        try await Installation.run(pendingClickLimit: 100) { server in
            let (app, link) = try await server.appWithLink()
            try await server.visit(link, from: Self.home)
            #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 0)

            let matches = try await server.matches(app, installs: 3, from: Self.home)

            #expect(matches == 1)
            #expect(try await server.count("SELECT COUNT(*) FROM click_claims") == 1)
        }
    }

    /// After four hours in memory a click is written to the table if its window is still open, else dropped.
    @Test func oldClicksAreMergedIntoTheTableAndStayClaimableOnce() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let click = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let click = try await server.pendingClick(window: 86_400)
                _ = try await server.pendingClick(window: 7200)
                clock.advance(by: .seconds(4 * 3600 - 1))
                try await server.services.maintenance.runOnce()
                #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 0)

                clock.advance(by: .seconds(1))
                try await server.services.maintenance.runOnce()

                #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 1)
                #expect(try await server.pendingClicks(like: click) == [click.id])
                return click
            }
            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                #expect(try await server.pendingClicks(like: click) == [click.id])
                let claims = try await server.storage.write { transaction in
                    try (0..<2).map { _ in try transaction.claim(click.id) }
                }
                #expect(claims == [true, false])
            }
        }
    }

    /// A merge that is repeated from its start, as after a crash, changes nothing.
    @Test func duringAMergeInPartsEachClickIsFoundOnce() async throws {
        try await Installation.run { installation in
            let (found, begun) = try await installation.storage.write { transaction -> ([Int], [Bool]) in
                let connection = (transaction as! SQLTransaction).connection
                let state = SQLState(owner: "test", pendingClicks: PendingClickIndex(limit: 9, runLength: 3))
                func commit<Value>(_ body: (SQLTransaction) throws -> Value) throws -> Value {
                    let part = SQLTransaction(connection: connection, state: state, now: transaction.now)
                    let value = try body(part)
                    part.didCommit()
                    return value
                }
                let fingerprint = Fingerprint(
                    scope: Scope(app: Identifier(rawValue: 1), mode: .live), address: "203.0.113.7", os: "iOS", osVersion: "18.6")
                var found: [Int] = []
                for _ in 0..<3 { try commit { try $0.insert(Click.pending(try $0.newID(), window: 7200)) } }
                var begun = [try commit { try $0.beginMergingPendingClicks() }]
                for position in [0, 0, 2] {
                    _ = try commit { try $0.mergePendingClicks(from: position, limit: 2) }
                    found.append(try commit { try $0.pendingClicks(fingerprint, limit: 16).count })
                }
                begun.append(try commit { try $0.beginMergingPendingClicks() })
                found.append(try commit { try $0.pendingClicks(fingerprint, limit: 16).count })
                return (found, begun)
            }
            #expect(begun == [true, false])
            #expect(found == [3, 3, 3, 3])
            #expect(try await installation.count("SELECT COUNT(*) FROM pending_clicks") == 3)
        }
    }

    @Test func anErasedClickMatchesNothingNorAfterAStartAndIsNeverMerged() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            let click = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let click = try await server.pendingClick(window: 86_400)
                try await server.storage.write { try $0.erase(.clicks, [click.id.rawValue]) }
                #expect(try await server.pendingClicks(like: click) == [])
                clock.advance(by: .seconds(4 * 3600))
                try await server.services.maintenance.runOnce()
                #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 0)
                return click
            }
            try await Installation.run(path: path, clock: clock, seed: 2, pendingClickLimit: 100) { server in
                let found = try await server.pendingClicks(like: click)
                #expect(found == [])
            }
        }
    }

    @Test func aClickThatCouldNotBeCommittedIsNotPending() async throws {
        struct Refusal: Error {}
        try await Installation.run(pendingClickLimit: 100) { server in
            let kept = try await server.pendingClick(window: 7200)
            await #expect(throws: Refusal.self) {
                try await server.storage.write { transaction in
                    try transaction.insert(Click.pending(try transaction.newID(), window: 7200))
                    throw Refusal()
                }
            }
            #expect(try await server.pendingClicks(like: kept) == [kept.id])
            #expect(try await server.count("SELECT COUNT(*) FROM clicks") == 1)
        }
    }

    /// With the bound reached, a click is refused or its visitor redirected without a record, as configured; earlier clicks still match.
    @Test(arguments: ClickFailurePolicy.allCases)
    func clicksBeyondTheBoundOfMemoryFollowThePolicy(policy: ClickFailurePolicy) async throws {
        try await Installation.run(onClickFailure: policy, pendingClickLimit: 2) { server in
            let (app, link) = try await server.appWithLink()
            for number in 1...2 { try await server.visit(link, from: "2001:db8:\(number)::1") }
            switch policy {
            case .refuse:
                let failure = await #expect(throws: Failure.self) { try await server.visit(link, from: Self.home) }
                #expect(failure?.code == .unavailable)
            case .redirect:
                #expect(try await server.visit(link, from: Self.home)?.clickID == "0")
            }
            #expect(try await server.count("SELECT COUNT(*) FROM clicks") == 2)
            #expect(try await server.matches(app, installs: 1, from: "2001:db8:1::1") == 1)
            #expect(try await server.matches(app, installs: 1, from: Self.home) == 0)
        }
    }

    @Test func aClickRecordedByAnotherProcessMatchesOnTheServer() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/linden.db", TestClock())
            try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let (app, link) = try await server.appWithLink()
                try await Installation.run(path: path, clock: clock, seed: 2) { command in
                    try await command.visit(link, from: Self.home)
                }
                try await server.visit(link, from: "2001:db8:8::1")

                #expect(try await server.matches(app, installs: 2, from: Self.home) == 1)
                #expect(try await server.matches(app, installs: 2, from: "2001:db8:8::1") == 1)
            }
        }
    }

    @Test func clicksInMemoryCountForTheDensityOfTheirAddress() async throws {
        try await Installation.run(pendingClickLimit: 100) { server in
            let click = try await server.pendingClick(window: 7200)
            _ = try await server.pendingClick(window: 7200)
            func counted() async throws -> Int {
                try await server.storage.read {
                    try $0.density(
                        of: [click.address], in: click.scope, since: $0.now - .seconds(60), besides: nil, limit: 64
                    ).pendingClicks
                }
            }
            #expect(try await counted() == 2)
            try await server.claim(click)
            #expect(try await counted() == 1)
        }
    }
}
