import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct IdentityManagementTests {
    @Test func aUserIsShownByYourOwnIDOrThatOfTheSDK() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst, for: app)
            let install = try await exchange.install(app.live.key.branchKey, ["identity": "ann/b c"]).object
            let id = try #require(install["identity_id"]?.string)
            for reference in ["ann%2Fb%20c", id] {
                let answer = try await exchange.manage(
                    .get, "/api/v1/identities/\(reference)?app=\(app.app.id)", token: token)
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.object["developer_identity"] == "ann/b c")
                #expect(answer.object["sessions"] == 1)
                #expect(answer.object["devices"]?.array?.count == 1)
            }
        }
    }

    @Test func aUserOfAnotherAppOrSideIsAnsweredLikeNone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            let meadow = try await exchange.installation.createApp("Meadow")
            let token = try await exchange.token(.analyst, for: meadow)
            let own = try await exchange.token(.analyst, for: orchard)
            let install = try await exchange.install(orchard.live.key.branchKey, ["identity": "ann"]).object
            let id = try #require(install["identity_id"]?.string)
            #expect(try await exchange.manage(.get, "/api/v1/identities/\(id)?app=\(orchard.app.id)", token: token).status == 403)
            for (reference, app, token) in [
                (id, "\(meadow.app.id)", token), ("ann", "\(meadow.app.id)", token), (id, orchard.test.key.branchKey, own),
            ] {
                let target = "/api/v1/identities/\(reference)?app=\(app)"
                #expect(try await exchange.manage(.get, target, token: token).status == 404)
            }
        }
    }

    @Test func theRatesOfTheInstallationAreListed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (euro, dollar) = (try #require(Currency("EUR")), try #require(Currency("USD")))
            let token = try await exchange.token(.analyst, for: app)
            #expect(try await exchange.manage(.get, "/api/v1/rates", token: token).json == ["rates": []])
            let rate = ExchangeRate(currency: euro, base: dollar, day: exchange.services.rates.today, rate: "0.92")
            try await exchange.services.rates.load([rate], base: dollar)
            let listed = try await exchange.manage(.get, "/api/v1/rates", token: token).object["rates"]?.array?.first?.object
            #expect(listed?["currency"] == "EUR")
            #expect(listed?["base"] == "USD")
            #expect(listed?["rate"] == .decimal("0.92"))
        }
    }
}
