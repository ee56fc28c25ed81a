import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Credits that expire, and their reversal.
@Suite struct ExpiringCreditTests {
    @Test func aGrantThatHasEndedTakesNothingElseBackWithIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            func grant(_ amount: Int64, until end: Timestamp?) async throws -> CreditTransaction.ID {
                try await credits.grant(
                    CreditGrant(holder: .named("ann"), amount: try CreditAmount(amount), expiresAt: end), RequestedCause(.operator),
                    try CreditCall(), in: scope
                )
            }
            func balance() async throws -> Int64 { try await credits.balance(of: .named("ann"), in: .standard, scope) }
            let later = try await grant(10, until: clock.now + .seconds(7200))
            let sooner = try await grant(10, until: clock.now + .seconds(3600))
            _ = try await grant(10, until: nil)
            // Consumes the reversed grant's own lot, not lots that expire earlier.
            _ = try await credits.reverse(later, try CreditCall(), in: scope)
            clock.advance(by: .seconds(3600))
            let failure = await #expect(throws: Failure.self) {
                _ = try await credits.reverse(sooner, try CreditCall(), in: scope)
            }
            #expect(failure?.code == .conflict && failure?.message.contains("have expired") == true)
            try await credits.expire()
            #expect(try await balance() == 10)
            await #expect(throws: Failure.self) { _ = try await credits.reverse(sooner, try CreditCall(), in: scope) }
            #expect(try await balance() == 10)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func whatIsGivenBackEndsWhenItWouldHave() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            _ = try await credits.grant(
                CreditGrant(holder: .named("ann"), amount: try CreditAmount(10), expiresAt: clock.now + .seconds(3600)),
                RequestedCause(.operator), try CreditCall(), in: scope)
            let redemption = try await credits.redeem(
                CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(4)), RequestedCause(.operator), try CreditCall(),
                in: scope)
            _ = try await credits.reverse(redemption, try CreditCall(), in: scope)
            clock.advance(by: .seconds(3600))
            try await credits.expire()
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 0)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func creditsThatCannotBeTakenBackAreNamedAndKeepNoOthers() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            for (index, name) in ["ann", "bob"].enumerated() {
                _ = try await credits.grant(
                    CreditGrant(
                        holder: .named(name), amount: try CreditAmount(10), expiresAt: clock.now + .seconds(3600 + index)),
                    RequestedCause(.operator), try CreditCall(), in: scope)
            }
            try await exchange.installation.storage.write { transaction in
                let ann = try transaction.identity("ann", in: scope)!
                let account = try transaction.openCreditAccount(of: .user(ann.id), .standard, in: scope)
                _ = try transaction.changeCreditBalance(of: account.id, by: -5)
            }
            clock.advance(by: .seconds(7200))
            let failure = await #expect(throws: Failure.self) { try await credits.expire() }
            #expect(failure?.message.contains("cannot be taken back") == true)
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 5)
            #expect(try await credits.balance(of: .named("bob"), in: .standard, scope) == 0)
        }
    }

    /// Grants ann credits one by one, all of which expire in an hour, and 20 that expire in a day.
    private static func grantMany(_ count: Int, _ exchange: Exchange, in scope: Scope) async throws -> CreditTransaction.ID {
        let (credits, now) = (exchange.services.credits, exchange.installation.clock.now)
        func grant(_ amount: Int64, for seconds: Int) async throws -> CreditTransaction.ID {
            try await credits.grant(
                CreditGrant(holder: .named("ann"), amount: try CreditAmount(amount), expiresAt: now + .seconds(seconds)),
                RequestedCause(.operator), try CreditCall(), in: scope)
        }
        for _ in 0..<count { _ = try await grant(1, for: 3600) }
        return try await grant(20, for: 86400)
    }

    @Test func aRedemptionTakesCreditsOf500GrantsAtMostAndIsReversedWhole() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope) = (exchange.services.credits, app.live.key.scope)
            func redeem(_ amount: Int64) async throws -> CreditTransaction.ID {
                try await credits.redeem(
                    CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(amount)), RequestedCause(.operator),
                    try CreditCall(), in: scope)
            }
            _ = try await Self.grantMany(500, exchange, in: scope)
            let refused = await #expect(throws: Failure.self) { _ = try await redeem(520) }
            #expect(refused?.code == .conflict)
            #expect(refused?.message.contains("more than 500 grants that expire") == true)
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 520)

            // Of the last lot, a part.
            for _ in 0..<2 {
                _ = try await credits.reverse(try await redeem(510), try CreditCall(), in: scope)
                #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 520)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM spent_expiring_credits") == 0)
            }
            _ = try await redeem(500)
            _ = try await redeem(15)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM spent_expiring_credits") == 501)
            #expect(try await exchange.rows("SELECT CAST(SUM(remaining) AS BIGINT) FROM expiring_credits") == 5)
            try await exchange.expectBooksAreRight()
        }
    }

    /// - Parameters:
    ///   - grants: the number of anonymous grants of each bucket.
    ///   - known: the balances of the known user after the login; an absent bucket stays with the anonymous one.
    @Test(arguments: [
        ([("gifts", 1), ("default", 501)], ["gifts": 1, "default": 1]),
        // Those of the buckets that the known user has come first.
        ([("gifts", 300), ("default", 300)], ["default": 301]),
        ([("gifts", 200), ("default", 300)], ["default": 301, "gifts": 200]),
    ])
    func aLoginMovesCreditsOfAtMost500GrantsInAll(
        grants: [(bucket: String, count: Int)], known: [String: Int64]
    ) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.merge_on_login": "true"]))
            let anonymous = try await exchange.install(app.live.key.branchKey).object
            let tokens = UserTokens(identity: exchange.services.publicIDs.id(for: anonymous["identity_id"]!.string!))
            func grant(_ holder: AccountReference, _ bucket: Bucket = .standard) async throws {
                _ = try await exchange.services.credits.grant(
                    CreditGrant(
                        holder: holder, amount: try CreditAmount(1), bucket: bucket,
                        expiresAt: exchange.installation.clock.now + .seconds(3600)),
                    RequestedCause(.operator), try CreditCall(), in: app.live.key.scope)
            }
            try await grant(.named("ann"))
            for (bucket, count) in grants {
                for _ in 0..<count { try await grant(.tokens(tokens), Bucket(bucket)) }
            }
            let login = try await exchange.post(
                "/v1/profile",
                [
                    "branch_key": .string(app.live.key.branchKey), "identity": "ann", "identity_id": anonymous["identity_id"]!,
                    "device_fingerprint_id": anonymous["device_fingerprint_id"]!,
                ])
            #expect(login.status == 200)
            let credits = try await exchange.credits(of: login.object)
            let left = try await exchange.credits(of: anonymous)
            for (bucket, count) in grants {
                let own: Int64 = bucket == "default" ? 1 : 0
                #expect(credits[bucket]?.int64 ?? 0 == known[bucket] ?? own)
                #expect(left[bucket]?.int64 ?? 0 == (known[bucket] == Int64(count) + own ? 0 : Int64(count)))
            }
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func manyExpiredLotsAreTakenBackBeforeTheTransactionThatTakesCredits() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            let spend: @Sendable (Int64) async throws -> Void = { amount in
                _ = try await credits.redeem(
                    CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(amount)), RequestedCause(.operator),
                    try CreditCall(), in: scope)
            }
            _ = try await Self.grantMany(120, exchange, in: scope)
            clock.advance(by: .seconds(3600))
            let failure = await #expect(throws: Failure.self) { try await spend(21) }
            #expect(failure?.code == .insufficient)
            // The redemption that failed wrote nothing, so the expired lots were taken back before it.
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 20)

            let later = try await Self.grantMany(120, exchange, in: scope)
            clock.advance(by: .seconds(3600))
            _ = try await credits.reverse(later, try CreditCall(), in: scope)
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 20)
            try await spend(20)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func creditsThatExpireDuringARedemptionAreNotSpent() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (scope, clock) = (app.live.key.scope, exchange.installation.clock)
            _ = try await Self.grantMany(60, exchange, in: scope)
            // They expire after the redemption has looked for expired lots, before its transaction.
            let storage = HookedStorage(exchange.installation.storage) { write in
                if write == 0 { clock.advance(by: .seconds(3600)) }
            }
            let credits = CreditService(storage: storage.ledger)
            let withdrawal = CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(20))
            let failure = await #expect(throws: Failure.self) {
                _ = try await credits.redeem(withdrawal, RequestedCause(.operator), try CreditCall(), in: scope)
            }
            #expect(failure?.code == .unavailable)
            _ = try await credits.redeem(withdrawal, RequestedCause(.operator), try CreditCall(), in: scope)
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 0)
            try await exchange.expectBooksAreRight()
        }
    }
}
