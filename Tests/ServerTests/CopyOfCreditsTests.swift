import Linden
import LindenKernel
import LindenReporting
import LindenTesting
import Testing

@testable import LindenServices

/// What the copy of a person's data says of credits.
@Suite struct CopyOfCreditsTests {
    @Test(arguments: ["referrer", "referree"])
    func itHasNothingOfAnothersCreditsThatNameThePerson(role: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            try await Self.logIn("ann", "bob", to: app, exchange)
            try await Self.call(
                "/v1/credits",
                ["identity": "bob", "amount": 7, "event": "order of Bob", "metadata": ["street": "Bobs way"], role: "ann"], app,
                exchange)
            let copies = (try await Self.copy(of: "ann", app, exchange), try await Self.copy(of: "bob", app, exchange))
            #expect(
                !copies.0.contains("order of Bob") && !copies.0.contains("Bobs way") && !copies.0.contains("credit_transaction"))
            #expect(copies.1.contains("order of Bob") && copies.1.contains("Bobs way"))
            // An erasure clears all that names the person.
            _ = try await exchange.services.people.erase(try await exchange.services.people.identity("ann", in: app.key.scope))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM credit_transactions WHERE metadata IS NOT NULL") == 0)
        }
    }

    @Test func itHasTheAmountOfEachTransaction() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().live
            try await Self.logIn("ann", to: app, exchange)
            try await Self.call("/v1/credits", ["identity": "ann", "amount": 7, "bucket": "shoes"], app, exchange)
            try await Self.call("/v1/redeem", ["identity": "ann", "amount": 3, "bucket": "shoes"], app, exchange)
            let rows = try await Self.copy(of: "ann", app, exchange).split(whereSeparator: \.isNewline).filter {
                $0.contains("credit_transaction")
            }
            #expect(rows.count == 2 && rows.allSatisfy { $0.contains("shoes") }, "\(rows)")
            #expect(rows.first?.contains(#""amount"":""7""#) == true && rows.last?.contains(#""amount"":""-3""#) == true, "\(rows)")
        }
    }

    private static func logIn(_ names: String..., to app: (key: AppKey, secret: String), _ exchange: Exchange) async throws {
        for (number, name) in names.enumerated() {
            _ = try await exchange.install(app.key.branchKey, ["identity": .string(name)], from: "192.0.2.\(number + 1)")
        }
    }

    private static func call(_ path: String, _ fields: JSONObject, _ app: (key: AppKey, secret: String), _ exchange: Exchange)
        async throws
    {
        var fields = fields
        fields["branch_key"] = .string(app.key.branchKey)
        fields["branch_secret"] = .string(app.secret)
        #expect(try await exchange.post(path, .object(fields)).status == 200)
    }

    private static func copy(of name: String, _ app: (key: AppKey, secret: String), _ exchange: Exchange) async throws -> String {
        let requests = exchange.services.subjectRequests
        let request = try await requests.ask(.access, about: [DataSubject(kind: .developer, value: name)], in: app.key.scope)
        return try await exchange.text(of: requests.export(try await requests.request(request.handle)))
    }
}
