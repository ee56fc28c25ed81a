import HTTPTypes
import Linden
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
                    CreditGrant(holder: .named("ann"), amount: try CreditAmount(amount), expiresAt: end), CreditReason(.operator),
                    try CreditCall(), in: scope
                ).record.transaction.id
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
                CreditReason(.operator), try CreditCall(), in: scope)
            let redemption = try await credits.redeem(
                CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(4)), CreditReason(.operator), try CreditCall(),
                in: scope)
            _ = try await credits.reverse(redemption.record.transaction.id, try CreditCall(), in: scope)
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
                    CreditReason(.operator), try CreditCall(), in: scope)
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
}
