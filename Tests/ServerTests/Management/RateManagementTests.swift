import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

@Suite struct RateManagementTests {
    @Test func theRatesOfADayAreStoredAndListed() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let stored = try await exchange.manage(
                .post, "/api/v1/rates", token: token,
                ["rates": ["EUR": .decimal("0.92"), "GBP": "0.79", "USD": 1], "date": "2027-01-31"])
            #expect(stored.json == ["rates": 2, "base": "USD", "date": "2027-01-31"], "\(stored.body)")
            let rates = try await exchange.installation.storage.read { try $0.rates(on: Day("2027-01-31")?.number ?? 0) }
            #expect(rates.map(\.currency.code) == ["EUR", "GBP"] && rates.map(\.rate) == ["0.92", "0.79"])
        }
    }

    @Test func ratesAgainstAnotherBaseReplaceAllOrAreRefused() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            #expect(try await exchange.manage(.post, "/api/v1/rates", token: token, ["rates": ["EUR": "0.92"]]).status == 200)
            let other: JSON = ["rates": ["USD": "1.09"], "base": "EUR"]
            #expect(try await exchange.manage(.post, "/api/v1/rates", token: token, other).status == 409)
            let replaced = try await exchange.manage(
                .post, "/api/v1/rates", token: token, ["rates": ["USD": "1.09"], "base": "EUR", "replace": true])
            #expect(replaced.status == 200, "\(replaced.body)")
            let listed = try await exchange.manage(.get, "/api/v1/rates", token: token).object["rates"]?.array
            #expect(listed?.map { $0.object?["currency"] } == ["USD"])
        }
    }

    @Test(
        arguments: [
            [:], ["rates": [:]], ["rates": ["EUR": 0]], ["rates": ["EUR": -1]], ["rates": ["EURO": 1]], ["rates": ["EUR": [1]]],
            ["rates": ["USD": 2]], ["rates": ["EUR": "0.92"], "base": "dollar"], ["rates": ["EUR": "0.92"], "date": "soon"],
            ["rates": ["EUR": "0.92", "GBP": "x"]],
        ] as [JSON])
    func wrongRatesAreRefusedAndNoneIsStored(body: JSON) async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let refused = try await exchange.manage(.post, "/api/v1/rates", token: token, body)
            #expect(refused.status == 400, "\(refused.body)")
            #expect(try await exchange.installation.storage.read { try $0.rateBase() } == nil)
        }
    }

    @Test func aTokenOfOneAppDoesNotChangeTheRatesOfAll() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token(for: try await exchange.installation.createApp())
            #expect(try await exchange.manage(.post, "/api/v1/rates", token: token, ["rates": ["EUR": "0.92"]]).status == 403)
        }
    }
}
