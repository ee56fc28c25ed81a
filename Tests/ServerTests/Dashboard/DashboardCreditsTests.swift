import Dashboard
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Credits and rewards in the dashboard.
@Suite struct DashboardCreditsTests {
    /// An app, and a browser of a user with a role.
    private static func run(
        as role: DashboardUser.Role = .admin,
        _ body: @escaping @Sendable (Exchange, CreatedApp, DashboardBrowser, String) async throws -> Void
    ) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await body(exchange, app, try await DashboardBrowser(exchange, as: role), "/dashboard/apps/\(app.app.id)")
        }
    }

    @Test func creditsAreGrantedRedeemedAndReversed() async throws {
        try await Self.run { exchange, app, browser, path in
            var browser = browser
            let (ann, scope) = (AccountReference.reference("ann", id: nil), app.live.key.scope)
            #expect(try await browser.get(path + "/credits?identity=ann").status == 404)
            let granted = try await browser.submit(
                path + "/credits/grants",
                ["identity": "ann", "amount": "50", "expires_at": "2030-01-31T10:00", "retry_key": "k"])
            #expect(granted.location == path + "/credits?identity=ann&saved=granted", "\(granted.body)")
            // A double click sends the form twice.
            _ = try await browser.submit(
                path + "/credits/grants",
                ["identity": "ann", "amount": "50", "expires_at": "2030-01-31T10:00", "retry_key": "k"])
            let redeemed = try await browser.submit(
                path + "/credits/redemptions", ["identity": "ann", "amount": "20", "retry_key": "r"])
            #expect(redeemed.location == path + "/credits?identity=ann&saved=redeemed")
            #expect(try await exchange.services.credits.balance(of: ann, in: .standard, scope) == 30)

            let page = try await browser.get(path + "/credits?identity=ann&saved=redeemed")
            #expect(page.body.contains("The credits were redeemed.") && page.body.contains(#"<span class="value">30</span>"#))
            let reversal = try #require(page.body.firstMatch(of: /href="([^"]*reversals[^"]*)"/)).1.replacing("&amp;", with: "&")
            #expect(try await browser.get(String(reversal)).body.contains("To confirm, type ann"))
            let transaction = try #require(reversal.firstMatch(of: /transaction=(\d+)/)).1
            var fields = ["identity": "ann", "transaction": String(transaction), "fraud": "true", "confirmation": "bob"]
            let refused = try await browser.submit(path + "/credits/reversals", fields)
            #expect(refused.status == 400 && refused.body.contains("This is not the user"))
            fields["confirmation"] = "ann"
            #expect(
                try await browser.submit(path + "/credits/reversals", fields).location
                    == path + "/credits?identity=ann&saved=reversed")
            #expect(try await exchange.services.credits.balance(of: ann, in: .standard, scope) == 50)
            #expect(try await browser.submit(path + "/credits/reversals", fields).status == 409)
            #expect(try await browser.get(path + "/credits?identity=ann").body.contains("fraud"))
            try await exchange.expectBooksAreRight()
        }
    }

    @Test(arguments: [
        ("grants", ["amount": "0"], 400, "amount must be a whole number"),
        ("grants", ["amount": "1", "expires_at": "2020-01-01T00:00"], 400, "must be in the future"),
        ("grants", ["amount": "1", "bucket": String(repeating: "x", count: 64)], 400, "bucket must have"),
        ("redemptions", ["amount": "1000"], 0, "1000"),
    ])
    func aMistakeIsSaidAndNothingPosted(action: String, fields: [String: String], status: Int, says: String) async throws {
        try await Self.run { exchange, app, browser, path in
            var browser = browser
            _ = try await browser.submit(path + "/credits/grants", ["identity": "ann", "amount": "5"])
            let answer = try await browser.submit(
                path + "/credits/" + action, fields.merging(["identity": "ann"]) { $1 })
            #expect(status == 0 ? answer.status >= 400 : answer.status == status)
            #expect(answer.body.contains(says) && answer.body.contains(#"name="amount""#))
            let ann = AccountReference.reference("ann", id: nil)
            #expect(try await exchange.services.credits.balance(of: ann, in: .standard, app.live.key.scope) == 5)
        }
    }

    @Test func theHistoryIsShownInPages() async throws {
        try await Self.run(as: .support) { exchange, app, browser, path in
            let ann = AccountReference.reference("ann", id: nil)
            for amount in 1...30 {
                _ = try await exchange.services.credits.grant(
                    CreditGrant(holder: ann, amount: try CreditAmount(Int64(amount) * 1000), bucket: .standard, expiresAt: nil),
                    RequestedCause(.operator), try CreditCall(), in: app.live.key.scope)
            }
            let first = try await browser.get(path + "/credits?identity=ann").body
            #expect(first.contains(">30,000<") && first.contains(">7,000<") && !first.contains(">5,000<"))
            #expect(!first.contains("/credits/reversals?identity") && !first.contains("Grant credits"), "Support changes nothing.")
            let next = try #require(first.firstMatch(of: /rel="next" href="([^"]*)"/)).1.replacing("&amp;", with: "&")
            let second = try await browser.get(String(next)).body
            #expect(second.contains(">5,000<") && !second.contains(">7,000<"))
        }
    }

    // MARK: Rules

    @Test func aRuleIsCreatedPausedAndRemoved() async throws {
        try await Self.run { exchange, app, browser, path in
            var browser = browser
            #expect(try await browser.get(path + "/rewards").body.contains("Create the first rule"))
            #expect(try await browser.get(path + "/rewards/new").body.contains(#"name="event" type="text" value="install""#))
            let answer = try await browser.submit(
                path + "/rewards",
                [
                    "event": "PURCHASE", "reward": "referrer", "amount": "25", "bucket": "gold", "filter": "plan=gold, size=2",
                    "first_only": "true", "cap_per_day": "2", "cap_per_user": "9", "days_valid": "30", "retry_key": "k",
                ])
            let rule = try #require(try await exchange.services.rewards.list(app.live.key.scope, limit: 9).rules.first)
            #expect(answer.location == path + "/rewards?created=\(rule.id)", "\(answer.body)")
            #expect(
                rule.event == "PURCHASE" && rule.recipient == .referrer && rule.amount.value == 25 && rule.bucket.name == "gold")
            #expect(rule.filter == ["plan": "gold", "size": "2"] && rule.isFirstOnly && rule.daysValid == 30)
            #expect(rule.caps.perDay == 2 && rule.caps.perUser == 9)
            let page = try await browser.get(path + "/rewards?created=\(rule.id)").body
            #expect(page.contains("The rule was created.") && page.contains("at most 2 per user and day"))

            let one = path + "/rewards/\(rule.id)"
            #expect(try await browser.submit(one + "/pause").location == path + "/rewards")
            #expect(try await browser.get(path + "/rewards").body.contains("paused"))
            _ = try await browser.submit(one + "/resume")
            #expect(try await exchange.services.rewards.rule(rule.id, of: rule.scope).isPaused == false)
            #expect(try await browser.submit(one + "/remove", ["confirmation": "install"]).status == 400)
            #expect(try await browser.submit(one + "/remove", ["confirmation": "PURCHASE"]).location == path + "/rewards")
            #expect(try await exchange.services.rewards.list(rule.scope, limit: 9).rules.isEmpty)
        }
    }

    @Test(arguments: [
        ("amount", "0"), ("cap_per_day", "0"), ("cap_per_user", "0"), ("days_valid", "99999"), ("filter", "gold"),
        ("event", String(repeating: "x", count: 64)),
    ])
    func aMistakeOfARuleIsSaidAtItsField(field: String, value: String) async throws {
        try await Self.run { exchange, app, browser, path in
            var browser = browser
            let fields = ["event": "install", "reward": "actor", "amount": "5"].merging([field: value]) { $1 }
            let answer = try await browser.submit(path + "/rewards", fields)
            #expect(answer.status == 400 && answer.body.contains(#"id="fault-\#(field)""#), "\(field)")
            #expect(try await exchange.services.rewards.list(app.live.key.scope, limit: 9).rules.isEmpty)
        }
    }

    // MARK: Held rewards

    @Test func heldRewardsAreReleasedAndRefused() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_address": "1"]))
            let (path, scope) = ("/dashboard/apps/\(app.app.id)/held-rewards", app.live.key.scope)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            #expect(try await browser.get(path).body.contains("No reward is held"))
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            for _ in 1...5 { _ = try await exchange.installByLink(app.live.key.branchKey, from: "203.0.113.7") }
            let held = try await exchange.services.heldRewards.list(scope, limit: 9).map(\.held.id)
            #expect(held.count == 4)
            #expect(try await browser.get(path).body.contains("/held-rewards/\(held[0])/release"))
            #expect(try await browser.get(path + "?network=203.0.113.0/24").body.contains("Release all 4"))
            #expect(try await browser.get(path + "?address=203.0.113.8").body.contains("No held reward matches"))
            for field in ["since=soon", "network=203.0.113.0/30"] {
                let wrong = try await browser.get(path + "?" + field)
                #expect(wrong.status == 400 && wrong.body.contains(#"id="fault-\#(field.prefix { $0 != "=" })""#))
            }

            #expect(try await browser.submit("\(path)/\(held[0])/release").location == path + "?released=1")
            #expect(try await browser.submit("\(path)/\(held[0])/release").status == 404)
            #expect(try await browser.submit("\(path)/\(held[1])/refuse", ["confirmation": "x"]).status == 400)
            let refused = try await browser.submit("\(path)/\(held[1])/refuse", ["confirmation": "\(held[1])"])
            #expect(refused.location == path + "?refused=1")
            #expect(try await browser.get(path + "/release-all?network=203.0.113.0/24").body.contains("2 rewards match now."))
            let fields = ["network": "203.0.113.0/24", "confirmation": "Orchard"]
            #expect(try await browser.submit(path + "/refuse-all", fields).location == path + "?refused=2")
            #expect(try await exchange.services.heldRewards.list(scope, limit: 9).isEmpty)
            try await exchange.expectBooksAreRight()
        }
    }
}
