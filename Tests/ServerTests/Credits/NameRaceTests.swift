import Dispatch
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// A device whose user changes while a credit call of its app is handled.
@Suite struct NameRaceTests {
    /// Runs a closure while the writer is held within a transaction, and then lets it go.
    private static func withHeldWriter<Value: Sendable>(
        of exchange: Exchange, _ body: (_ letGo: @escaping @Sendable () -> Void) async throws -> Value
    ) async throws -> Value {
        let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let held: Void = exchange.installation.storage.write { transaction in
            _ = try transaction.apps()
            isHeld.signal()
            _ = mayGoOn.wait(timeout: .now() + 10)
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isHeld.wait()
                continuation.resume()
            }
        }
        let value = try await body { mayGoOn.signal() }
        try await held
        return value
    }

    @Test func aLoginDuringARedemptionOpensNoCreditsOfTheNamedUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.claim_by_name": "false"]))
            let key = app.live.key.branchKey
            _ = try await exchange.services.credits.grant(
                CreditGrant(holder: .named("bob"), amount: try CreditAmount(100)), RequestedCause(.operator), try CreditCall(),
                in: app.live.key.scope)
            let device = try #require(try await exchange.install(key).object["device_fingerprint_id"])
            let stranger: JSONObject = ["branch_key": .string(key), "device_fingerprint_id": device]

            // The login waits for the writer, so that the redemption is checked before it, and made after it.
            let (login, redemption) = try await Self.withHeldWriter(of: exchange) { letGo in
                async let login = exchange.post("/v1/profile", .object(stranger.merging(["identity": "bob"])))
                try await Task.sleep(for: .milliseconds(200))
                async let redemption = exchange.post("/v1/redeem", .object(stranger.merging(["amount": 100])))
                try await Task.sleep(for: .milliseconds(200))
                letGo()
                return try await (login, redemption)
            }

            #expect(login.object["identity"] == "bob")
            // The anonymous user has no credits; on a busy machine, the redemption is checked after the login.
            #expect([402, 400].contains(redemption.status), "\(redemption.body)")
            let balances = try await exchange.services.credits.balances(of: .named("bob"), in: app.live.key.scope)
            #expect(balances.map(\.balance) == [100])
        }
    }
}
