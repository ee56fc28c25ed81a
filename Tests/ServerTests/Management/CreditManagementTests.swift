import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct CreditManagementTests {
    @Test func creditsAreGrantedRedeemedReversedAndListed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            func post(_ call: String, _ body: JSON) async throws -> Exchange.Answer {
                try await exchange.manage(.post, "/api/v1/credits/\(call)?app=\(app.app.id)", token: admin, body)
            }
            func balances(_ query: String = "") async throws -> JSON? {
                try await exchange.manage(
                    .get, "/api/v1/credits?app=\(app.app.id)&identity=ann" + query, token: analyst
                ).object["balances"]
            }
            let granted = try await post("grants", ["identity": "ann", "amount": 100, "expires_at": "2099-01-31T18:00:00Z"])
            #expect(granted.status == 200)
            #expect(granted.object["amount"] == 100)
            #expect(granted.object["source"] == "operator")
            _ = try await post("grants", ["identity": "ann", "amount": 7, "bucket": "tea"])
            let redeemed = try await post("redemptions", ["identity": "ann", "amount": 30])
            #expect(redeemed.object["amount"] == -30)
            #expect(redeemed.object["balance"] == 70)
            #expect(try await balances() == ["default": 70, "tea": 7])
            #expect(try await balances("&bucket=tea") == ["tea": 7])
            #expect(try await post("redemptions", ["identity": "ann", "amount": 71]).status == 402)

            let transaction = try #require(redeemed.object["transaction"])
            let reversed = try await post("reversals", ["transaction": transaction, "fraud": true])
            #expect(reversed.object["reverses"] == transaction)
            #expect(reversed.object["balance"] == 100)

            let list = "/api/v1/credits/history?app=\(app.app.id)&identity=ann&limit=2"
            let pages = try await exchange.pages(list, token: analyst, of: "transactions", "amount")
            #expect(pages.flatMap { $0 } == ["30", "-30", "7", "100"])
            #expect(pages[0].count == 2)
        }
    }

    @Test func aUserWhoIsNamedLikeTheReferenceOfAnotherDoesNotGetTheirCredits() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            func grant(_ identity: JSON) async throws {
                let target = "/api/v1/credits/grants?app=\(app.app.id)"
                #expect(try await exchange.manage(.post, target, token: token, ["identity": identity, "amount": 5]).status == 200)
            }
            try await grant("ann")
            let ann = try await exchange.services.people.identity("ann", in: app.live.key.scope)
            let reference = exchange.services.publicIDs.reference(to: ann.id)
            _ = try await exchange.installation.storage.write { try $0.identity(named: reference, in: app.live.key.scope) }
            try await grant(.string(reference))
            #expect(try await exchange.balance(of: "ann") == 10)
            #expect(try await exchange.balance(of: reference) == 0)
        }
    }

    @Test func aRepeatedCallWithItsKeyMovesCreditsOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/credits/grants?app=\(app.app.id)"
            var transactions: Set<String> = []
            for _ in 0..<2 {
                let answer = try await exchange.manage(
                    .post, target, token: token, ["identity": "ann", "amount": 5],
                    headers: [HTTPField.Name("Idempotency-Key")!: "gift-1"])
                transactions.insert(answer.object["transaction"]?.string ?? "")
            }
            #expect(transactions.count == 1)
            let other = try await exchange.manage(
                .post, target, token: token, ["identity": "ann", "amount": 6],
                headers: [HTTPField.Name("Idempotency-Key")!: "gift-1"])
            #expect(other.status == 409)
            let read = try await exchange.manage(
                .get, "/api/v1/credits?app=\(app.app.id)&identity=ann", token: token)
            #expect(read.object["balances"] == ["default": 5])
        }
    }

    @Test func anotherAppsCreditsAreNotReached() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            let meadow = try await exchange.installation.createApp("Meadow")
            let (own, other) = (try await exchange.token(for: orchard), try await exchange.token(for: meadow))
            let granted = try await exchange.manage(
                .post, "/api/v1/credits/grants?app=\(orchard.app.id)", token: own, ["identity": "ann", "amount": 5])
            let transaction = try #require(granted.object["transaction"])
            let reading = "/api/v1/credits?app=\(orchard.app.id)&identity=ann"
            #expect(try await exchange.manage(.get, reading, token: other).status == 403)
            #expect(
                try await exchange.manage(.get, reading.replacing("credits", with: "credits/history"), token: other).status == 403)
            // By the id of a transaction, too.
            let reversed = try await exchange.manage(
                .post, "/api/v1/credits/reversals?app=\(meadow.app.id)", token: other, ["transaction": transaction])
            #expect(reversed.status == 404)
            #expect(try await exchange.manage(.get, reading, token: own).object["balances"] == ["default": 5])
        }
    }

    private static let wrong: [(String, JSON, String)] = [
        ("grants", ["amount": 5], "identity is missing"), ("grants", ["identity": "ann"], "amount must be a whole number"),
        ("grants", ["identity": "ann", "amount": 0], "amount must be a whole number"),
        ("grants", ["identity": "ann", "amount": 5, "expires_at": "soon"], "expires_at must be a time"),
        ("grants", ["identity": "ann", "amount": 5, "reason": "x"], "reason is not a member of a grant"),
        ("grants", ["identity": "ann", "amount": 5, "bucket": 5], "bucket must be a string"),
        ("redemptions", ["identity": "ann", "amount": -5], "amount must be a whole number"),
        ("reversals", [:], "transaction is missing"),
        ("reversals", ["transaction": 1, "fraud": "yes"], "fraud must be true or false"),
    ]

    @Test(arguments: wrong)
    func badInputIsNamedAndMovesNothing(call: String, body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let answer = try await exchange.manage(
                .post, "/api/v1/credits/\(call)?app=\(app.app.id)", token: try await exchange.token(for: app), body)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities") == 0)
        }
    }
}
