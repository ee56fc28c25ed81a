import Dashboard
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Anyone can give a user the name of another with white space around it. The dashboard's pages are about the one that is named.
@Suite struct DashboardPaddedNameTests {
    private static let known = "dora@example.com"
    private static let stranger = known + "\u{A0}"

    /// An app with a known user who has 50 credits and a stranger's with 10.
    private struct Scene {
        let exchange: Exchange
        let app: CreatedApp
        var browser: DashboardBrowser
        /// The references of the two users.
        let known: String
        let stranger: String

        var path: String { "/dashboard/apps/\(app.app.id)" }
        var scope: Scope { app.live.key.scope }

        init(_ exchange: Exchange) async throws {
            self.exchange = exchange
            app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_address": "1"]))
            browser = try await DashboardBrowser(exchange, as: .admin)
            known = try await Self.user(DashboardPaddedNameTests.known, with: 50, exchange, app.live.key.scope)
            stranger = try await Self.user(DashboardPaddedNameTests.stranger, with: 10, exchange, app.live.key.scope)
        }

        /// Creates a user.
        ///
        /// - Returns: the user's reference.
        static func user(_ name: String, with credits: Int64, _ exchange: Exchange, _ scope: Scope) async throws -> String {
            _ = try await exchange.services.credits.grant(
                CreditGrant(holder: .named(name), amount: try CreditAmount(credits), bucket: .standard),
                RequestedCause(.operator), try CreditCall(), in: scope)
            return exchange.services.publicIDs.reference(to: try await exchange.services.people.identity(name, in: scope).id)
        }

        func page(_ section: String, of name: String) async throws -> Exchange.Answer {
            try await browser.get("\(path)/\(section)?identity=" + DashboardBrowser.encoded(name))
        }

        func expectBalances(known: Int64, stranger: Int64) async throws {
            #expect(try await exchange.balance(of: DashboardPaddedNameTests.known) == known)
            #expect(try await exchange.balance(of: DashboardPaddedNameTests.stranger) == stranger)
        }
    }

    private static func run(_ body: @escaping @Sendable (inout Scene) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            var scene = try await Scene(exchange)
            try await body(&scene)
        }
    }

    @Test(arguments: ["identities", "credits", "identities/erase"])
    func aPageIsAboutExactlyTheNamedUser(section: String) async throws {
        try await Self.run { scene in
            let strangers = try await scene.page(section, of: Self.stranger)
            #expect(strangers.status == 200 && strangers.body.contains(scene.stranger), "\(strangers.body)")
            #expect(!strangers.body.contains(scene.known))
            #expect(strangers.body.contains("&quot;\(Self.stranger)&quot;"), "The white space is visible.")
            let known = try await scene.page(section, of: Self.known)
            #expect(known.status == 200 && known.body.contains(scene.known) && !known.body.contains(scene.stranger))
            #expect(!known.body.contains("&quot;\(Self.known)&quot;"))
        }
    }

    @Test func aUserWhoseNameIsOnlyWhiteSpaceIsOpened() async throws {
        try await Self.run { scene in
            let blank = try await Scene.user("\u{2003}", with: 5, scene.exchange, scene.scope)
            for section in ["identities", "credits", "identities/erase"] {
                let page = try await scene.page(section, of: "\u{2003}")
                #expect(page.status == 200 && page.body.contains(blank) && page.body.contains("&quot;\u{2003}&quot;"), "\(section)")
            }
        }
    }

    @Test func aPastedIDIsFoundWithoutTheSpaceBehindItButNothingIsErasedByIt() async throws {
        try await Self.run { scene in
            for section in ["identities", "credits"] {
                let page = try await scene.page(section, of: Self.known + " ")
                #expect(page.status == 200 && page.body.contains(scene.known) && !page.body.contains(scene.stranger), "\(section)")
            }
            #expect(try await scene.page("identities/erase", of: Self.known + " ").status == 404)
            let path = scene.path + "/identities"
            let fields = ["identity": Self.known + " ", "confirmation": Self.known]
            #expect(try await scene.browser.submit(path + "/erase", fields).status == 404)
            #expect(try await scene.browser.submit(path + "/export", fields).status == 404)
        }
    }

    @Test func creditsAreThoseOfExactlyTheNamedUser() async throws {
        try await Self.run { scene in
            let credits = scene.path + "/credits"
            let granted = try await scene.browser.submit(credits + "/grants", ["identity": Self.stranger, "amount": "5"])
            #expect(granted.status == 303, "\(granted.body)")
            try await scene.expectBalances(known: 50, stranger: 15)

            // The forms of the page name the user by the reference.
            let page = try await scene.page("credits", of: Self.stranger).body
            #expect(page.contains(#"<input type="hidden" name="identity" value="\#(scene.stranger)">"#))
            let redeemed = try await scene.browser.submit(
                credits + "/redemptions", ["identity": scene.stranger, "amount": "3"])
            #expect(redeemed.location == "\(credits)?identity=\(scene.stranger)&saved=redeemed", "\(redeemed.body)")
            try await scene.expectBalances(known: 50, stranger: 12)

            let history = try await scene.page("credits", of: Self.stranger).body
            let reversal = try #require(history.firstMatch(of: /href="([^"]*reversals[^"]*)"/)).1.replacing("&amp;", with: "&")
            let question = try await scene.browser.get(String(reversal))
            #expect(question.body.contains("To confirm, type \(scene.stranger)"), "\(question.body)")
            let transaction = try #require(reversal.firstMatch(of: /transaction=(\d+)/)).1
            var fields = ["identity": scene.stranger, "transaction": String(transaction), "confirmation": Self.known]
            #expect(try await scene.browser.submit(credits + "/reversals", fields).status == 400)
            fields["confirmation"] = scene.stranger
            let reversed = try await scene.browser.submit(credits + "/reversals", fields)
            #expect(reversed.location == "\(credits)?identity=\(scene.stranger)&saved=reversed", "\(reversed.body)")
            try await scene.expectBalances(known: 50, stranger: 15)
            try await scene.exchange.expectBooksAreRight()
        }
    }

    @Test(arguments: [true, false]) func theStrangersUserIsErasedAndTheKnownUserStays(byName: Bool) async throws {
        try await Self.run { scene in
            let path = scene.path + "/identities"
            #expect(try await scene.page("identities", of: Self.stranger).body.contains("/erase?identity=\(scene.stranger)"))
            let named = byName ? Self.stranger : scene.stranger
            #expect(try await scene.page("identities/erase", of: named).body.contains("To confirm, type \(scene.stranger)"))
            var fields = ["identity": named, "confirmation": Self.known]
            #expect(try await scene.browser.submit(path + "/erase", fields).status == 400)
            fields["confirmation"] = scene.stranger
            let erased = try await scene.browser.submit(path + "/erase", fields)
            #expect(erased.location?.hasPrefix(scene.path + "/privacy/") == true, "\(erased.body)")
            try await scene.exchange.services.subjectRequests.runAll()
            try await scene.expectBalances(known: 50, stranger: 0)
            #expect(try await scene.page("identities", of: scene.stranger).status == 404)
            #expect(try await scene.page("identities", of: scene.known).status == 200)
        }
    }

    @Test func aFormAboutAnErasedUserCreatesNoUserNamedLikeTheReference() async throws {
        try await Self.run { scene in
            let people = scene.exchange.services.people
            _ = try await people.erase(try await people.identity(Self.stranger, in: scene.scope))
            let fields = ["identity": scene.stranger, "amount": "5"]
            #expect(try await scene.browser.submit(scene.path + "/credits/grants", fields).status == 404)
            let page = try await scene.page("credits", of: scene.stranger)
            #expect(page.status == 404 && !page.body.contains("Grant credits"))
            try await scene.expectBalances(known: 50, stranger: 0)
        }
    }

    @Test func aHeldRewardLeadsToItsUser() async throws {
        try await Self.run { scene in
            let key = scene.app.live.key.branchKey
            try await scene.exchange.addRule(try NewRewardRule("install", .actor, 10), for: scene.app)
            for name in ["ann", Self.stranger] { _ = try await scene.exchange.installByLink(key, ["identity": .string(name)]) }
            let held = try #require(try await scene.exchange.services.heldRewards.list(scene.scope, limit: 9).first)
            try #require(held.user?.developerIdentity == Self.stranger)
            let page = try await scene.browser.get(scene.path + "/held-rewards").body
            #expect(page.contains("/identities?identity=\(scene.stranger)\"") && !page.contains("?identity=dora"), "\(page)")
        }
    }
}
